import { expect, test } from 'vitest'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { paletteCommands } from './commands.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const shown = (over: Partial<WorkspaceDetail> = {}): WorkspaceDetail =>
  ({
    id: 'w',
    name: 'backend',
    path: '/src/backend',
    agentId: 'claude',
    shield: 'good',
    trust: 'approved',
    paused: null,
    suspended: null,
    running: null,
    tasks: [],
    attempts: [],
    ...over,
  }) as unknown as WorkspaceDetail

const task = (id: string, blocked = false) =>
  ({ id, description: `Do ${id}`, blocked, status: 'pending' }) as unknown as WorkspaceDetail['tasks'][number]

const labels = (detail: WorkspaceDetail | undefined) =>
  paletteCommands(detail === undefined ? [] : [detail], detail, NOW).map(({ label }) => label)

test('a task leads to where there is most to see of it', () => {
  const detail = shown({
    tasks: [task('stuck', true), task('tried'), task('new')],
    attempts: [
      { taskId: 'tried', attemptId: 'tried-2' },
      { taskId: 'tried', attemptId: 'tried-1' },
    ] as never,
  })
  const addresses = paletteCommands([detail], detail, NOW)
    .filter(({ group }) => group === 'Tasks')
    .map(({ act }) => act.kind === 'go' && act.address)
  expect(addresses).toEqual(['#/w/w/blocked/stuck', '#/w/w/attempt/tried-2', '#/w/w/contract/new'])
})

test('only what can be done is offered', () => {
  expect(labels(shown())).toEqual(expect.arrayContaining(['Run now', 'Pause until tomorrow']))
  expect(labels(shown({ trust: 'unapproved' }))).not.toContain('Run now')
  expect(labels(shown({ suspended: { since: '', reason: '' } }))).not.toContain('Run now')
  const paused = labels(shown({ paused: { since: '', until: null } }))
  expect(paused).toContain('Resume')
  expect(paused).not.toContain('Pause until tomorrow')
})

test('without a workspace there is still a way to begin', () => {
  expect(labels(undefined)).toEqual(['Settings', 'Set up a folder', 'Add a folder', 'Keyboard shortcuts'])
})

test('no two commands are remembered as the same', () => {
  const detail = shown({ tasks: [task('a'), task('b')] })
  const ids = paletteCommands([detail, shown({ id: 'v' })], detail, NOW).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
