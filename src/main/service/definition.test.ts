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
  test('lies in the folder of the user and starts at login', () => {
    const { file, text } = definitionOn('linux')
    expect(file).toBe('/home/me/.config/systemd/user/pulseward.service')
    expect(text).toContain('[Install]\nWantedBy=default.target')
    expect(text).toContain('Environment="PATH=/home/me/.local/bin:/usr/bin"')
  })

  test('hands every argument on as it is: spaces, quotes, percent and dollar signs, backslashes', () => {
    expect(definitionOn('linux').text).toContain(
      'ExecStart="/usr/lib/pulse ward/node" "/opt/a\\"b/pulseward" "serve" "--data-dir" "/home/me/100%%/$$HOME\\\\x"\n',
    )
  })

  test('a line break in a name begins no directive of its own', () => {
    const text =
      serviceDefinition('linux', { ...request, command: ['/x\nExecStartPre=/bin/evil'] })?.text ?? ''
    expect(text.split('\n').filter((line) => line.startsWith('ExecStartPre'))).toEqual([])
  })

  test('lies where the user keeps configuration elsewhere', () => {
    expect(serviceDefinition('linux', { ...request, configHome: '/cfg' })?.file).toBe(
      '/cfg/systemd/user/pulseward.service',
    )
  })
})

test('a launchd agent escapes what is markup', () => {
  const { file, text, install } = definitionOn('darwin')
  expect(file).toBe('/home/me/Library/LaunchAgents/dev.pulseward.serve.plist')
  expect(text).toContain('<string>/opt/a&quot;b/pulseward</string>')
  expect(install).toEqual([['launchctl', 'bootstrap', 'gui/1000', file]])
})

test('a task of Windows quotes what is handed on, also a folder that ends in a backslash', () => {
  const text = serviceDefinition('win32', {
    ...request,
    command: ['C:\\node.exe', 'C:\\My files\\', 'a"b'],
  })?.text
  expect(text).toContain('<Command>C:\\node.exe</Command>')
  expect(text).toContain('<Arguments>&quot;C:\\My files\\\\&quot; &quot;a\\&quot;b&quot;</Arguments>')
})

test('elsewhere no manager of services is known', () => {
  expect(serviceDefinition('freebsd', request)).toBeNull()
})
