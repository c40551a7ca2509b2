import { describe, expect, test } from 'vitest'
import { serviceDefinition } from './definition.ts'

const request = {
  command: [
    '/usr/lib/pulse ward/node',
    '/opt/a"b/pulseward',
    'serve',
    '--data-dir',
    '/home/me/100%/$HOME\\x',
  ],
  searchPath: '/home/me/.local/bin:/usr/bin',
  home: '/home/me',
  configHome: null,
  userId: 1000,
}

function definitionOn(platform: NodeJS.Platform) {
  const definition = serviceDefinition(platform, request)
  if (definition === null) throw new Error(`no definition on ${platform}`)
  return definition
}

describe('a systemd unit', () => {
  test("is in the user's folder and starts at login", () => {
    const { file, text } = definitionOn('linux')
    expect(file).toBe('/home/me/.config/systemd/user/pulseward.service')
    expect(text).toContain('[Install]\nWantedBy=default.target')
    expect(text).toContain('Environment="PATH=/home/me/.local/bin:/usr/bin"')
  })

  test('passes every argument unchanged: spaces, quotes, percent and dollar signs, backslashes', () => {
    expect(definitionOn('linux').text).toContain(
      'ExecStart="/usr/lib/pulse ward/node" "/opt/a\\"b/pulseward" "serve" "--data-dir" "/home/me/100%%/$$HOME\\\\x"\n',
    )
  })

  test('does not let a line break in a name begin a new directive', () => {
    const text =
      serviceDefinition('linux', { ...request, command: ['/x\nExecStartPre=/bin/evil'] })?.text ?? ''
    expect(text.split('\n').filter((line) => line.startsWith('ExecStartPre'))).toEqual([])
  })

  test('is in a custom configuration folder if the user has one', () => {
    expect(serviceDefinition('linux', { ...request, configHome: '/cfg' })?.file).toBe(
      '/cfg/systemd/user/pulseward.service',
    )
  })
})

test('a launchd agent escapes markup, and is unloaded before it is loaded again', () => {
  const { file, text, replace, install } = definitionOn('darwin')
  expect(file).toBe('/home/me/Library/LaunchAgents/dev.pulseward.serve.plist')
  expect(text).toContain('<string>/opt/a&quot;b/pulseward</string>')
  expect(replace).toEqual([['launchctl', 'bootout', 'gui/1000/dev.pulseward.serve']])
  expect(install).toEqual([['launchctl', 'bootstrap', 'gui/1000', file]])
})

test('a Windows task quotes its arguments, even a folder that ends in a backslash', () => {
  const text = serviceDefinition('win32', {
    ...request,
    command: ['C:\\node.exe', 'C:\\My files\\', 'a"b'],
  })?.text
  expect(text).toContain('<Command>C:\\node.exe</Command>')
  expect(text).toContain('<Arguments>&quot;C:\\My files\\\\&quot; &quot;a\\&quot;b&quot;</Arguments>')
})

test('has no definition on other platforms', () => {
  expect(serviceDefinition('freebsd', request)).toBeNull()
})
