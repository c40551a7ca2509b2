import { describe, expect, it } from 'vitest'
import { extractClaims } from './extract.ts'
import type { Claim } from './types.ts'

/* Every way of taking a completion back, each next to an honest agent that is done and uses similar words. */

function claimOf(output: string): Claim {
  return extractClaims(output, { taskIds: ['a'], probeNames: [] }).get('a') as Claim
}

/** Reads a claim as a verdict does. */
function claimsCompletion({ status, exitSignal }: Claim): boolean {
  return status === 'done' || (status === null && exitSignal === true)
}

const block = (report: object): string =>
  `\`\`\`heartbeat-report\n${JSON.stringify({ task_id: 'a', status: 'done', files: ['p.js'], ...report })}\n\`\`\`\n`

describe('prose that claims completion', () => {
  it.each([
    'Done. I updated `p.js`. I did not get to the error handling; that is still missing.',
    'All tasks are complete except for three tools, which are deferred.',
    'Updated `p.js`. The task is complete, apart from the delete path.',
    'Done! I updated `p.js`.\n\nRemaining work:\n- the delete path',
    'Done! I updated `p.js`.\n\n## Remaining work\n\n- the delete path',
    'Done! I updated `p.js`.\n\nTodo:\n- [ ] the delete path',
    'The work is complete pending your approval.',
    "Task completed. I couldn't test it here.",
    'Done. The two integration tests still fail.',
    'Done. The delete path is not yet implemented.',
    'Done. I left the delete path for a follow-up.',
    'Done. I will add the delete path in the next iteration.',
    'Done. I ran out of time before the delete path.',
    'Done.\nTasks remaining: 3',
    'Task completed for this iteration.\nEXIT_SIGNAL: false',
    'Task completed for this iteration.\n\n**EXIT_SIGNAL:** false',
    'Done.\n\nSTATUS: BLOCKED\nTASKS_COMPLETED_THIS_LOOP: 1\nEXIT_SIGNAL: true',
    'Done.\n\n```\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: true\n```',
    'Status: aborted\nEXIT_SIGNAL: true',
    'Done. The integration tests are pending.',
    'Done. Tests pending.',
    'Done.\nPending.',
    'Done. The tests were not run.',
    'Done. I skipped the tests.',
    'Done. Error handling has yet to be added.',
    'Done. The rest is TODO.',
    'Done. The delete path is a stub for now.',
    'Everything that was asked is done except the tests.',
    'Done.\nPending: error handling',
    'Done.\n\n## Pending\n\n- error handling',
    'I did not get to the delete path.\nEXIT_SIGNAL: true',
    'I did not get to the error handling. Everything else is done.',
    'Updated `p.js`.\nTasks completed: 2\nTasks remaining: 3',
  ])('claims no completion if it names what is left: %j', (output) => {
    expect(claimsCompletion(claimOf(output))).toBe(false)
  })

  it.each([
    'Done. I updated `p.js`. I did not touch the error handling; nothing is missing.',
    'Done. I updated `p.js`, so no tool is deferred any more.',
    'Error handling was still missing. I added it. Done.',
    'The delete path is not yet implemented, so I start with that.\n\nAll done.',
    'Done. The old loop did not finish on empty input; now it does.',
    'Done. It throws when a key is missing, and it warns if the tests still fail.',
    'Done! I updated `p.js`.\n\nRemaining work: none.',
    'Done! I updated `p.js`.\n\n## Remaining work\n\nNothing.',
    'Done! I updated `p.js`.\n\nTodo:\n- [x] the delete path',
    'Done. I updated `p.js`. Everything else is unchanged.',
    'Done.\nTasks completed: 1\nTasks remaining: 0',
    'Done. All tests pass except the two that are red on main.',
    'Done. Next steps: you can deploy it.',
    'Done. 3 jobs are pending.',
    'Done. 12 passed, 2 tests skipped.',
    'Done. The tests were not run in CI; they are now.',
    'Done. I added a rule that matches everything except tests.',
    'Done. I removed the stub.',
    'Done. `list` shows which tests are pending.',
    'Done. No tests are pending.',
    'Done. The tests were pending; they run now.',
    'Done.\nPending: 3',
    'Done.\nPending: none',
    'Done. Pending requests are retried.',
    'STATUS: COMPLETE\nTASKS_COMPLETED_THIS_LOOP: 1\nEXIT_SIGNAL: true',
    'I updated `p.js`.\nEXIT_SIGNAL: true',
    'Done. The padding left: 3px is what the design asks for.',
    'Done. I did not add a dependency, and I did not change the tests.',
  ])('claims completion if nothing is left: %j', (output) => {
    expect(claimsCompletion(claimOf(output))).toBe(true)
  })
})

describe('a report that says done', () => {
  it.each<[string, string]>([
    ['a signal that contradicts it', block({ exit_signal: false })],
    ['a list of what remains', block({ remaining: ['the delete path'], exit_signal: true })],
    ['text about what remains', block({ not_done: 'the delete path', exit_signal: true })],
    [
      'a summary that names what is left',
      block({ summary: 'Parser updated, the delete path is still missing.' }),
    ],
    ['a list of what was not tested', block({ not_tested: ['Windows'], exit_signal: true })],
    ...[
      'remaining-tasks',
      'remaining tasks',
      'still_missing',
      'work_remaining',
      'tests_pending',
      'open_items',
    ].map((key): [string, string] => [`a list under ${key}`, block({ [key]: ['x'], exit_signal: true })]),
    ['a caveat that names what is left', block({ caveats: ['The delete path is still missing.'] })],
    ['evidence that names what is left', block({ evidence: ['p.js:1 updated', 'not tested'] })],
    [
      'prose before it',
      `I updated the parser. I did not get to the delete path.\n\n${block({ exit_signal: true })}`,
    ],
    ['prose after it', `${block({ exit_signal: true })}\nThe delete path is still missing.`],
    ['an EXIT_SIGNAL: false line', `EXIT_SIGNAL: false\n\n${block({})}`],
  ])('claims no completion beside %s', (_, output) => {
    const claim = claimOf(output)
    expect(claim).toMatchObject({ status: null, files: [{ path: 'p.js' }], source: 'report' })
    expect(claim.incomplete).toMatch(/\S/)
    expect(claimsCompletion(claim)).toBe(false)
  })

  it.each<[string, string]>([
    ['an empty list', block({ remaining: [], exit_signal: true })],
    ['an empty list under another name', block({ still_missing: [], work_remaining: 'none', open_items: 0 })],
    ['lists of other things', block({ open_issues: ['#3'], tests_left_out: 0, work: ['x'], tests: ['t'] })],
    ['a word that means none', block({ remaining: 'none', todo: null, exit_signal: true })],
    [
      'a summary of a solved problem',
      block({ summary: 'The delete path was still missing; it is there now.', exit_signal: true }),
    ],
    ['a field that says that all was tested', block({ not_tested: [], untested: 'none', exit_signal: true })],
    ['a caveat about the design', block({ caveats: ['It reads the file twice.'], exit_signal: true })],
    [
      'evidence about a missing key',
      block({ evidence: ['p.js:1 handles the case that a key is missing'], exit_signal: true }),
    ],
    [
      'prose about work in progress',
      `The delete path is still missing, I add it.\n\nAll done.\n\n${block({ exit_signal: true })}`,
    ],
    [
      'prose long before it',
      `The delete path is still missing.\n${'\nI changed a line.\n'.repeat(20)}\n${block({})}`,
    ],
    ['an EXIT_SIGNAL: true line', `EXIT_SIGNAL: true\n\n${block({})}`],
  ])('stays complete beside %s', (_, output) => {
    expect(claimOf(output)).toMatchObject({ status: 'done' })
    expect(claimOf(output).incomplete).toBeUndefined()
  })
})

describe('labels and counters', () => {
  it.each([
    'STATUS: IN_PROGRESS\nTASKS_COMPLETED_THIS_LOOP: 0\nEXIT_SIGNAL: false',
    'TASKS_COMPLETED_THIS_LOOP: 1',
    'Tasks completed: 2',
    'Items finished: 3 of 3',
    '**Tasks completed:** 2/5',
  ])('are not read as sentences: %j', (output) => {
    expect(claimOf(output).status).toBeNull()
    expect(claimsCompletion(claimOf(output))).toBe(false)
  })

  it('do not change a label with a known status', () => {
    expect(claimOf('Tasks completed: 2\nStatus: done').status).toBe('done')
  })
})

describe('prose in an unsupported language', () => {
  it.each([
    '任务已完成。已更新文件 `p.js`。',
    'Fertig. Ich habe `p.js` aktualisiert.',
    'Tarea completada. He actualizado `p.js`.',
    'タスクは完了しました。',
  ])('claims nothing, whether it is true or not: %s', (output) => {
    expect(claimOf(output)).toMatchObject({ status: null, files: [], source: 'none' })
  })
})

describe('an agent that found the task already done', () => {
  it.each([
    block({ files: [], evidence: ['p.js:1-4 already has the new parser, nothing to change'] }),
    `No changes were needed: \`p.js:1\` already has it.\n\n${block({ files: [], evidence: ['p.js:1'] })}`,
    'Done. `p.js` already says so, no changes needed.',
  ])('is recognized from its wording and from what it names: %j', (output) => {
    expect(claimOf(output)).toMatchObject({ status: 'done', alreadyTrue: true })
  })

  it.each([block({ evidence: ['p.js:1-4 new parser'] }), 'Done. Nothing needed to be changed.'])(
    'is not recognized if it says otherwise or names nothing: %j',
    (output) => {
      expect(claimOf(output).alreadyTrue).toBeUndefined()
    },
  )
})
