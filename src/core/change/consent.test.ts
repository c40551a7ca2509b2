import { expect, it } from 'vitest'
import { type AskedCommands, mayRun } from './consent.ts'

const APPROVED = { directory: '/repo', configSha256: 'approved', gates: [['npm', 'test'], ['make']] }
const ASKED: AskedCommands = { directory: '/repo', commands: ['npm test'], configSha256: 'approved' }

it.each<readonly [string, boolean, Partial<AskedCommands>]>([
  ['the approved configuration at the base', true, {}],
  ['another configuration with the same commands, which may lift the sandbox', false, { configSha256: 'x' }],
  ['detected commands that are approved gates', true, { configSha256: null }],
  [
    'a detected command that is not an approved gate',
    false,
    { configSha256: null, commands: ['npm test', 'cargo test'] },
  ],
  ['the same configuration in another folder, with other scripts', false, { directory: '/repo/b' }],
  ['nothing to run', true, { configSha256: 'x', commands: [] }],
])('the workspace’s approval lets %s run: %s', (_, expected, asked) => {
  expect(mayRun([{ ...ASKED, ...asked }], [APPROVED], [])).toBe(expected)
})

it('lets a change across two workspaces run only if both are approved', () => {
  const asked = [ASKED, { ...ASKED, directory: '/repo/b' }]
  expect(mayRun(asked, [APPROVED, { ...APPROVED, directory: '/repo/b' }], [])).toBe(true)
  expect(mayRun(asked, [APPROVED], [])).toBe(false)
})

it('lets nothing run if nothing was approved or allowed', () => {
  expect(mayRun([ASKED], [], [])).toBe(false)
})

it.each<readonly [string, boolean, Partial<AskedCommands>]>([
  ['that exact request', true, {}],
  ['the same commands from a configuration that changed since', false, { configSha256: 'y' }],
  ['one more command', false, { commands: ['npm test', 'rm x'] }],
  ['a command that differs only in quotes', false, { commands: ["npm 'test'"] }],
  ['the same commands in another folder', false, { directory: '/repo/b' }],
])('after the operator allows a request, %s may run: %s', (_, expected, asked) => {
  const allowed = { ...ASKED, configSha256: 'x' }
  expect(mayRun([{ ...allowed, ...asked }], [], [allowed])).toBe(expected)
})
