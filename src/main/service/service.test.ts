import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceDefinition } from './definition.ts'
import { installService, removeService, serviceState } from './service.ts'

let folder = ''
let manager = ''

/** A manager that records its commands and runs what it is told to start; `refuse` makes it fail. */
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

test('is defined and running after an install, replaced by another install, and gone after a remove', async () => {
  expect(await serviceState(definition())).toMatchObject({ installed: false, running: false })
  expect(await installService(definition())).toMatchObject({ installed: true, running: true })
  await installService(definition('two'))
  expect(readFileSync(definition().file, 'utf8')).toBe('two')
  expect(await removeService(definition())).toMatchObject({ installed: false, running: false })
  expect(existsSync(definition().file)).toBe(false)
  await removeService(definition())
})

test('stops an existing service before defining it again, and stops none if there was none', async () => {
  const replaced = { ...definition('two'), replace: [[manager, 'end-old']] }
  await installService(replaced)
  expect(readFileSync(join(folder, 'told'), 'utf8')).not.toContain('end-old')
  await installService(replaced)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toContain('end-old\nreload\nstart\n')
})

test("reports the manager's own words when it refuses, and leaves nothing that would start later", async () => {
  writeFileSync(join(folder, 'refuse'), '')
  await expect(installService(definition())).rejects.toThrow(
    `the manager refused \`${manager} reload\`: Failed to connect to bus.`,
  )
  expect(existsSync(definition().file)).toBe(false)
})

test('reports a missing manager by name', async () => {
  const missing = { ...definition(), install: [[join(folder, 'nothing')]] }
  await expect(installService(missing)).rejects.toThrow('nothing is not installed')
})
