import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemPower } from './system-power.ts'

async function supplies(files: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-power-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, said] of Object.entries(files)) {
    await mkdir(join(directory, name))
    for (const [file, text] of Object.entries(said)) await writeFile(join(directory, name, file), `${text}\n`)
  }
  return systemPower(directory).onBattery()
}

const discharging = { type: 'Battery', status: 'Discharging' }

test.each([
  ['a laptop on battery power', { AC: { type: 'Mains', online: '0' }, BAT0: discharging }, true],
  [
    'a laptop that is plugged in',
    { AC: { type: 'Mains', online: '1' }, BAT0: { type: 'Battery', status: 'Charging' } },
    false,
  ],
  ['a plugged-in laptop that still drains', { AC: { type: 'Mains', online: '1' }, BAT0: discharging }, false],
  ['a machine with a mouse battery', { mouse: { ...discharging, scope: 'Device' } }, false],
  ['a machine without a battery', {}, false],
])('%s', async (_name, files, expected) => {
  expect(await supplies(files)).toBe(expected)
})

test('counts a system that does not report its power source as plugged in', () => {
  expect(systemPower('/nowhere').onBattery()).toBe(false)
})
