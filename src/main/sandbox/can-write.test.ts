import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createContainment } from './contained-start.ts'
import { policyFor, type Role } from './policies.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-can-write-')))
  for (const name of ['work/kept', 'hidden/shown', 'elsewhere', 'home'])
    mkdirSync(join(root, name), { recursive: true })
  for (const name of ['work/HEARTBEAT.md', 'elsewhere/linked.md']) writeFileSync(join(root, name), '')
  symlinkSync(join(root, 'work'), join(root, 'to-work'))
  symlinkSync(join(root, 'elsewhere'), join(root, 'work/out'))
  symlinkSync(join(root, 'elsewhere/linked.md'), join(root, 'work/linked.md'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (...names: string[]): string[] => names.map((name) => join(root, name))

it.each([
  ['in a writable folder', ['work'], 'work/a.txt', true],
  ['that does not exist yet', ['work'], 'work/new/a.txt', true],
  ['in a folder given as a link', ['to-work'], 'work/a.txt', true],
  ['given by a path through a link', ['work'], 'to-work/a.txt', true],
  ['read-only inside a writable folder', ['work'], 'work/kept/a.txt', false],
  ['read-only inside a folder given as a link', ['to-work'], 'to-work/kept/a.txt', false],
  ['writable inside a hidden folder', ['work', 'hidden/shown'], 'hidden/shown/a.txt', true],
  ['in a hidden folder', ['work', 'hidden/shown'], 'hidden/a.txt', false],
  ['behind a link out of the writable folder', ['work'], 'work/out/a.txt', false],
  ['that is a link in a writable folder', ['work'], 'work/linked.md', true],
  ['elsewhere', ['work'], 'elsewhere/linked.md', false],
])('says whether a file can be changed: %s', (_where, writable, path, expected) => {
  const containment = createContainment(
    { means: 'seatbelt' },
    {
      ...{ layered: [], redacted: [], held: [], neverSeen: [], network: 'none' },
      writable: at(...writable),
      readable: at(`${writable[0]}/kept`),
      hidden: at('hidden'),
    },
  )
  expect(containment.canWrite?.(join(root, path))).toBe(expected)
})

it.each<[Role['kind'], string, boolean]>([
  ['agent', 'HEARTBEAT.md', true],
  ['check', 'HEARTBEAT.md', false],
  ['check', 'a.txt', true],
  ['git', 'HEARTBEAT.md', false],
])('for a process of the kind %s, says whether it can change %s', (kind, path, expected) => {
  const role = { kind, program: 'sh', preset: null } as Role
  const settings = { preset: null, hide: [], writable: [], passed: [] }
  const surroundings = {
    ...{ home: join(root, 'home'), environment: {}, installation: '/nowhere' },
    ...{ ownData: [], workspaces: [] },
  }
  // The workspace is named through a link, as an operator might open it.
  const policy = policyFor(role, join(root, 'to-work'), settings, surroundings)
  const { canWrite } = createContainment({ means: 'seatbelt' }, { ...policy, network: 'none' })
  expect(canWrite?.(join(root, 'work', path))).toBe(expected)
})
