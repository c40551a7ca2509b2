import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { autostartPath, setAutostart, startsAtLogin } from './autostart.ts'

async function entryPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-autostart-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return autostartPath({ XDG_CONFIG_HOME: folder }, '/home/me')
}

test('the entry is where the desktop looks for it', () => {
  expect(autostartPath({ XDG_CONFIG_HOME: '/etc/mine' }, '/home/me')).toBe(
    '/etc/mine/autostart/pulseward.desktop',
  )
  expect(autostartPath({ XDG_CONFIG_HOME: 'relative' }, '/home/me')).toBe(
    '/home/me/.config/autostart/pulseward.desktop',
  )
  expect(autostartPath({}, '/home/me')).toBe('/home/me/.config/autostart/pulseward.desktop')
})

test('writes, finds and removes it; removing it twice is not an error', async () => {
  const path = await entryPath()
  expect(startsAtLogin(path)).toBe(false)
  await setAutostart(path, ['/opt/Pulse ward/app', '--hidden'], true)
  expect(startsAtLogin(path)).toBe(true)
  expect(await readFile(path, 'utf8')).toContain('\nExec="/opt/Pulse ward/app" "--hidden"\n')
  await setAutostart(path, [], false)
  await setAutostart(path, [], false)
  expect(startsAtLogin(path)).toBe(false)
})

test('escapes characters with a meaning in Exec', async () => {
  const path = await entryPath()
  await setAutostart(path, ['/a "b" $c `d` \\e 100%'], true)
  expect(await readFile(path, 'utf8')).toContain('Exec="/a \\\\"b\\\\" \\\\$c \\\\`d\\\\` \\\\\\\\e 100%%"\n')
})

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'an entry with %s is switched off',
  async (line) => {
    const path = await entryPath()
    await setAutostart(path, ['/app'], true)
    const text = await readFile(path, 'utf8')
    await writeFile(path, `${text.replace('X-GNOME-Autostart-enabled=true\n', '')}${line}\n`)
    expect(startsAtLogin(path)).toBe(false)
  },
)
