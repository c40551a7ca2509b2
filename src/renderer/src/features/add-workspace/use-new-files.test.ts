import { expect, it } from 'vitest'
import type { FolderInspection, Template } from '../../../../api/schemas/setup.ts'
import { type SetupData, useSetup } from './add-workspace-state.ts'
import { configurationEdits, contractText, nameOfProgram } from './use-new-files.ts'

const code: Template = {
  id: 'code',
  title: 'Code',
  description: '',
  contract: '- [ ] a | A | verify: tests.failed == 0 && tests.executed > 0 && changed("TODO.md")\n',
  configuration: '',
}
const emptyFolder: FolderInspection = {
  path: '/w',
  name: 'w',
  problem: null,
  warning: null,
  workspace: null,
  contract: null,
  configuration: null,
  isGit: true,
  testCommand: null,
  testProbe: null,
}
const chosen = (folder: Partial<FolderInspection>): SetupData => ({
  ...useSetup.getInitialState(),
  folder: { ...emptyFolder, ...folder },
})
const pytest = {
  name: 'tests',
  runner: 'pytest',
  command: ['python3', '-m', 'pytest'],
  parse: 'pytest',
} as const
const valueAt = (data: SetupData, path: string) =>
  configurationEdits(data).find((edit) => edit.path.join('.') === path)?.value

it('counts the tests of a folder whose runner reports', () => {
  const data = chosen({
    testCommand: [...pytest.command],
    testProbe: { ...pytest, command: [...pytest.command] },
  })
  expect(contractText(data, [code])).toBe(code.contract)
  expect(valueAt(data, 'probes.tests.command')).toEqual(pytest.command)
  expect(valueAt(data, 'probes.tests.parse')).toBe('pytest')
  expect(valueAt(data, 'gates.commands')).toBeUndefined()
})

it('makes tests without a report a gate, and adds no check that reads a missing probe', () => {
  const data = chosen({ testCommand: ['make', 'test'] })
  expect(contractText(data, [code])).toBe('- [ ] a | A | verify: changed("TODO.md")\n')
  expect(valueAt(data, 'probes.tests')).toBeNull()
  expect(valueAt(data, 'gates.commands')).toEqual([['make', 'test']])
})

it('keeps the starter’s check for a folder with a configuration only if that defines the probe', () => {
  const data = chosen({ configuration: '[agent]' })
  const withValues = (values: Record<string, string>) =>
    ({ ...data, report: { values } }) as unknown as SetupData
  expect(contractText(withValues({}), [code])).not.toContain('tests.')
  expect(contractText(withValues({ 'probes.tests.parse': 'jest' }), [code])).toBe(code.contract)
})

it('offers trees only for a git repository, and omits the setting if the folder itself is chosen', () => {
  const isolated = { isolation: 'worktree' } as const
  expect(valueAt({ ...chosen({}), ...isolated }, 'workspace.isolation')).toBe('worktree')
  expect(valueAt({ ...chosen({ isGit: false }), ...isolated }, 'workspace.isolation')).toBeUndefined()
  expect(valueAt(chosen({}), 'workspace.isolation')).toBeUndefined()
})

it('keeps edits unchanged', () => {
  const data = { ...chosen({}), contracts: { code: 'mine, verify: tests.failed == 0 && true' } }
  expect(contractText(data, [code])).toBe('mine, verify: tests.failed == 0 && true')
})

it.each([
  ['./my-agent --unattended', 'my-agent'],
  ['node scripts/agent.mjs --fast', 'agent'],
  ['"/opt/node 22/bin/node" --no-warnings worker.js', 'worker'],
  ['python3 -u tools/nightly.py', 'nightly'],
  ['uv run night-shift', 'night-shift'],
  ['env KEY=1 ./agent.sh', 'agent'],
  ['C:\\\\tools\\\\robot.exe', 'robot'],
  ['node', 'node'],
  ['node --version', 'node'],
  ['"…"', null],
  ['', null],
])('an operator’s own program, %s, is called %s', (line, name) => {
  expect(nameOfProgram(line)).toBe(name)
})

it('uses the name that was entered', () => {
  const agent = { kind: 'command', line: 'node agent.mjs', name: ' night ' } as const
  const data = { ...chosen({}), agent }
  expect(valueAt(data, 'agent.id')).toBe('night')
  expect(valueAt({ ...data, agent: { ...agent, name: '' } }, 'agent.id')).toBe('agent')
})
