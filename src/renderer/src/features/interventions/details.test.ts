import { expect, test } from 'vitest'
import { claimedAndFound, detailLines, happening, type RaisedIntervention } from './details.ts'

function raised(details: Record<string, unknown>): RaisedIntervention {
  return { event_type: 'no_files_detected', severity: 'critical', details }
}

test('shows a claim next to everything that was found', () => {
  expect(
    claimedAndFound(raised({ claimed: 'status done', found: ['a.md: missing', 'b.md: missing'] })),
  ).toEqual({
    claimed: 'status done',
    found: ['a.md: missing', 'b.md: missing'],
    contradicts: true,
  })
})

test.each([
  [
    'nothing was claimed',
    { claimed: 'nothing', completion_claimed: false, expected_because: 'expect_files is always' },
  ],
  [
    'it only reported that it is not done',
    {
      claimed: 'EXIT_SIGNAL: false',
      completion_claimed: false,
      expected_because: 'the task asks for changed files',
    },
  ],
])('does not show an agent as contradicted where %s', (_case, details) => {
  expect(claimedAndFound(raised({ ...details, found: 'no file was changed' }))?.contradicts).toBe(false)
})

test('shows files claimed as written as contradicted by an empty difference, whether or not completion was claimed', () => {
  const details = {
    claimed: 'files report.md',
    completion_claimed: false,
    expected_because: 'the agent claims to have written files',
    found: 'no file was changed',
  }
  expect(claimedAndFound(raised(details))?.contradicts).toBe(true)
})

test.each([
  { claimed: 'status done' },
  { found: 'no file was changed' },
  { claimed: 3, found: 'no file was changed' },
  { claimed: 'status done', found: [] },
])('finds nothing to compare in %j', (details) => {
  expect(claimedAndFound(raised(details))).toBeNull()
})

test('names details in words, lists items one by one, and omits empty values', () => {
  const lines = detailLines(
    raised({
      task_id: 'write_report',
      return_code: 0,
      exit_signal_claimed: null,
      exit_signal_ignored: true,
      missing_files: ['a.md', 'b.md'],
      nothing: [],
      some_new_field: { deep: 1 },
      claimed: 'status done',
      found: 'nothing',
    }),
  )
  expect(lines).toEqual([
    { name: 'Exit code', values: ['0'] },
    { name: 'EXIT_SIGNAL ignored', values: ['yes'] },
    { name: 'Missing files', values: ['a.md', 'b.md'] },
    { name: 'Some new field', values: ['{"deep":1}'] },
  ])
})

test('shows what happened directly if there is no comparison', () => {
  const changes = ['Task "a" was removed.', 'Task "b": its box was checked.']
  expect(happening({ ...raised({ changes }), event_type: 'contract_weakened' })).toEqual(changes)
  const given = raised({ messages: 1, aggressive: true })
  expect(happening({ ...given, event_type: 'agent_reinforced' })).toEqual([
    '1 message about earlier attempts, with the strict reminder',
  ])
  const reminded = raised({ messages: 0, aggressive: true })
  expect(happening({ ...reminded, event_type: 'agent_reinforced' })).toEqual(['The strict reminder'])
  expect(happening(raised({ claimed: 'status done', found: 'nothing' }))).toEqual([])
})
