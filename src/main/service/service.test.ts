import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceDefinition } from './definition.ts'
import { installService, removeService, serviceState } from './service.ts'

let folder = ''
let manager = ''

/** A manager that notes what it is told, and runs what it was told to start; `refuse` makes it say no. */
const MANAGER = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> told
[ ! -e refuse ] || { echo "Failed to connect to bus" >&2; exit 1; }
case $1 in
start) touch running ;;
stop) rm -f running ;;
is-running) [ -e running ] ;;
esac
`

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulseward-service-'))
  manager = join(folder, 'manager')
  writeFileSync(manager, MANAGER)
  chmodSync(manager, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function definition(text = 'one'): ServiceDefinition {
  return {
    manager: 'the manager',
    file: join(folder, 'units/pulseward.service'),
    text,
    install: [
      [manager, 'reload'],
      [manager, 'start'],
    ],
    remove: [
      [manager, 'stop'],
      [manager, 'reload'],
    ],
    isRunning: [manager, 'is-running'],
    logs: 'log',
  }
}

test('installed, it is defined and runs; again, the definition is replaced; removed, nothing is left', async () => {
  expect(await serviceState(definition())).toMatchObject({ installed: false, running: false })
  expect(await installService(definition())).toMatchObject({ installed: true, running: true })
  await installService(definition('two'))
  expect(readFileSync(definition().file, 'utf8')).toBe('two')
  expect(await removeService(definition())).toMatchObject({ installed: false, running: false })
  expect(existsSync(definition().file)).toBe(false)
  await removeService(definition())
})

test('what the manager refuses is reported in its words, and nothing is left that would begin later', async () => {
  writeFileSync(join(folder, 'refuse'), '')
  await expect(installService(definition())).rejects.toThrow(
    `the manager refused \`${manager} reload\`: Failed to connect to bus.`,
  )
  expect(existsSync(definition().file)).toBe(false)
})

test('a manager that is not there is named', async () => {
  const missing = { ...definition(), install: [[join(folder, 'nothing')]] }
  await expect(installService(missing)).rejects.toThrow('nothing is not installed')
})
