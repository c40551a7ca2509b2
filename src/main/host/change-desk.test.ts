import { expect, test } from 'vitest'
import { isApproved } from './change-desk.ts'

const WORKSPACE = {
  directory: '/repo',
  ledger: { approvedHash: 'approved' },
  loop: { config: { gates: { commands: [['npm', 'test'], ['make']] } } },
}
const BASE = { directory: '/repo', commands: ['npm test'], configSha256: 'approved' }

test.each<readonly [string, boolean, Partial<typeof WORKSPACE>, object, readonly string[]]>([
  ['the approved configuration at the base', true, {}, {}, []],
  [
    'another configuration with the same commands, which may lift the sandbox',
    false,
    {},
    { configSha256: 'x' },
    [],
  ],
  ['detected commands that are approved gates', true, {}, { configSha256: null }, []],
  [
    'a detected command that is none',
    false,
    {},
    { configSha256: null, commands: ['npm test', 'cargo test'] },
    [],
  ],
  [
    'the same configuration in another folder, where its scripts are others',
    false,
    {},
    { directory: '/repo/b' },
    [],
  ],
  ['a workspace in which nothing was approved', false, { ledger: { approvedHash: null as never } }, {}, []],
  ['commands that were allowed just now', true, {}, { configSha256: 'x' }, ['npm test', 'make']],
  ['a part of them', false, {}, { configSha256: 'x', commands: ['npm test', 'rm x'] }, ['npm test']],
  ['nothing to run', true, {}, { configSha256: 'x', commands: [] }, []],
])('%s: approved is %s', (_title, expected, workspace, base, allowed) => {
  expect(isApproved({ ...WORKSPACE, ...workspace }, { ...BASE, ...base }, allowed)).toBe(expected)
})
