import { expect, test } from 'vitest'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { paletteCommands } from './commands.ts'
import { workspaceDetail } from './testing/workspace-detail.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

const task = (id: string, blocked = false) =>
  ({ id, description: `Do ${id}`, blocked, status: 'pending' }) as unknown as WorkspaceDetail['tasks'][number]

const labels = (detail: WorkspaceDetail | undefined) =>
  paletteCommands(detail === undefined ? [] : [detail], detail, NOW).map(({ label }) => label)

test('opens a task on the screen that shows the most about it', () => {
  const detail = workspaceDetail({
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

test('offers only what is possible', () => {
  expect(labels(workspaceDetail())).toEqual(expect.arrayContaining(['Run now', 'Pause until tomorrow']))
  expect(labels(workspaceDetail({ trust: 'unapproved' }))).not.toContain('Run now')
  expect(labels(workspaceDetail({ suspended: { since: '', reason: '' } }))).not.toContain('Run now')
  const paused = labels(workspaceDetail({ paused: { since: '', until: null } }))
  expect(paused).toContain('Resume')
  expect(paused).not.toContain('Pause until tomorrow')
})

test('offers ways to start when there is no workspace', () => {
  const listed = paletteCommands([], undefined, NOW).filter(({ isQuiet }) => isQuiet !== true)
  expect(listed.map(({ label }) => label)).toEqual([
    'Settings',
    'Set up a folder',
    'Add a folder',
    'Keyboard shortcuts',
    'Documentation',
  ])
})

test('gives every command a different id', () => {
  const detail = workspaceDetail({ tasks: [task('a'), task('b')] })
  const ids = paletteCommands([detail, workspaceDetail({ id: 'v' })], detail, NOW).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('finds entries of another workspace with its name, without listing them', () => {
  const other = workspaceDetail({ id: 'v', name: 'inbox' })
  const found = [
    {
      workspace: 'v',
      tasks: [{ id: 'sort', status: 'pending', blocked: false, attemptId: '3-1-ab' }],
      attempts: [
        {
          attemptId: '3-1-ab',
          taskId: 'sort',
          startedAt: '2026-11-21T10:00:00Z',
          verdict: 'not_verified',
          groundTruthContradiction: true,
        },
      ],
    },
  ] as const
  const commands = paletteCommands([workspaceDetail(), other], workspaceDetail(), NOW, found as never)
  const of = (id: string) => commands.find((command) => command.id === id)
  expect(of('task v sort')).toMatchObject({ isQuiet: true, shield: 'good', hint: 'inbox · pending' })
  expect(of('attempt v 3-1-ab')?.hint).toBe('inbox · contradiction')
  expect(of('run v')).toMatchObject({ isQuiet: true, hint: 'inbox' })
  expect(of('run w')?.isQuiet).toBeUndefined()
})

test('finds every section of the settings', () => {
  const texts = import.meta.glob<string>('../settings/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const sections = Object.values(texts)
    .flatMap((text) => [...text.matchAll(/<Section id="([\w-]+)"/g)])
    .map(([, id]) => `setting ${id}`)
  const found = paletteCommands([], undefined, 0).map(({ id }) => id)
  expect(sections.length).toBeGreaterThan(5)
  expect(found).toEqual(expect.arrayContaining(sections))
})
