import { describe, expect, it } from 'vitest'
import { extractClaims } from './extract.ts'
import type { Claim, JsonValue } from './types.ts'

interface Said {
  readonly status?: Claim['status']
  readonly exitSignal?: boolean | null
  readonly values?: Readonly<Record<string, JsonValue>>
  readonly files?: readonly string[]
}

function claimOf(output: string): Claim {
  const claims = extractClaims(output, {
    taskIds: ['check_email'],
    probeNames: ['email_count', 'tests', 'build', 'unread.mails'],
  })
  return claims.get('check_email') as Claim
}

function said(claim: Claim): Required<Said> {
  return {
    status: claim.status,
    exitSignal: claim.exitSignal,
    values: claim.values,
    files: claim.files.map(({ path }) => path),
  }
}

/** Agents' outputs in different styles, and what counts as a claim in each. */
const TRANSCRIPTS: readonly (readonly [string, string, Said])[] = [
  ['says nothing', '', {}],
  ['terse', 'Done.', { status: 'done' }],
  ['terse, lower case, no full stop', 'done', { status: 'done' }],
  [
    'terse, several lines',
    'wrote notes/inbox.md\nemail_count: 3\ndone\nEXIT_SIGNAL: true',
    {
      status: 'done',
      exitSignal: true,
      values: { email_count: 3 },
      files: ['notes/inbox.md'],
    },
  ],
  ['all caps', 'ALL TASKS COMPLETE!!!', { status: 'done' }],
  ['a check mark before it', '✅ Task completed successfully', { status: 'done' }],
  ['bold', '**All done!** Let me know if you need anything else.', { status: 'done' }],
  ['heading', '## Task complete\n\nThe inbox is empty.', { status: 'done' }],
  ['a task by its id', 'check_email: done', { status: 'done' }],
  ['a task by its id in code', '- `check_email` is complete', { status: 'done' }],
  ['first person', "I've completed the task. The summary is in the notes.", { status: 'done' }],
  ['first person, many tasks', 'I have now finished all of the assigned tasks.', { status: 'done' }],
  ['passive', 'The email check has been completed.', { status: 'done' }],
  ['with a remark', 'Finished — three new emails were summarised.', { status: 'done' }],
  ['everything', 'Everything is now done and the inbox is clean.', { status: 'done' }],
  ['a status line', 'Status: COMPLETED', { status: 'done' }],
  ['a status line with Markdown', '**Status:** `failed`', { status: 'failed' }],
  ['a status line, skipped', 'STATUS: skipped', { status: 'skipped' }],
  ['a status template', 'STATUS: done | skipped | failed', {}],
  ['skipping in words', 'I am skipping this task because there is no inbox.', { status: 'skipped' }],

  ['not done', 'Not done.', { status: 'failed' }],
  ['not yet complete', 'The task is not yet complete.', { status: 'failed' }],
  ["isn't finished", "The work isn't finished yet, two emails remain.", { status: 'failed' }],
  ['unable to complete', 'I was unable to complete the task: the inbox is locked.', { status: 'failed' }],
  ['could not be completed', 'Unfortunately the task could not be completed.', { status: 'failed' }],
  ['the task failed', 'The task failed.', { status: 'failed' }],
  [
    'done, then corrected to not done',
    'All done!\n\nActually, the task is not done: one email is unread.',
    { status: 'failed' },
  ],
  [
    'not done at first, then done',
    'It was not complete at first. I tried again. Task complete.',
    { status: 'done' },
  ],
  ['unable to do a side step', 'I was unable to run the linter. Done.', { status: 'done' }],

  ['a condition', 'Once the task is done, I will tell you.', {}],
  ['a plan', 'I will read the mails and then the task will be done.', {}],
  ['a question', 'Is the task done?', {}],
  ['one part done', 'Step 1 is done. The first half of the work is complete.', {}],
  ['a count of parts', 'Completed 3 of 5 items.', {}],
  ['almost done', 'Almost done, 90% complete.', {}],
  ['output of another program', 'npm install completed with no warnings. The build is finished.', {}],
  ['an adjective', 'Here is the complete list of files I looked at.', {}],
  ['finished only a part', 'Finished reading the inbox.', {}],
  ['a promise', "I'll keep monitoring the inbox and continue with the next step.", {}],
  [
    'wrapped over two lines',
    'After looking through all of the mails in the inbox I was not\nable to complete the task as it stands.',
    {
      status: 'failed',
    },
  ],

  ['an exit signal', 'EXIT_SIGNAL: true', { exitSignal: true }],
  ['an exit signal, false', 'EXIT_SIGNAL: false', { exitSignal: false }],
  ['an exit signal with Markdown', '- **EXIT_SIGNAL**: `true`', { exitSignal: true }],
  ['an exit signal with its colon in bold', '**EXIT_SIGNAL:** true', { exitSignal: true }],
  ['a template with its colon in bold', '**EXIT_SIGNAL:** true | false', {}],
  ['an exit signal with its colon in bold, withheld', 'Not yet: no **EXIT_SIGNAL:** true', {}],
  ['an exit signal, equals sign', 'exit_signal = TRUE', { exitSignal: true }],
  ['an exit signal in a code block', '```\nSTATUS: DONE\nEXIT_SIGNAL: true\n```', { exitSignal: true }],
  ['two exit signals', 'EXIT_SIGNAL: true\nWait, one is left.\nEXIT_SIGNAL: false', { exitSignal: false }],
  ['the template of the exit signal', 'Report EXIT_SIGNAL: true|false at the end.', {}],
  ['the template in words', 'EXIT_SIGNAL: true or false', {}],
  ['an exit signal withheld', 'I am not setting EXIT_SIGNAL: true because one mail is left.', {}],
  [
    'an exit signal after a negative sentence',
    'Nothing more can be done. EXIT_SIGNAL: true',
    { exitSignal: true },
  ],
  [
    'an exit signal after a condition in the same sentence',
    'Once all mails are read, then EXIT_SIGNAL: true',
    {},
  ],
  ['an exit signal after a dash', 'All tests pass after the fix — EXIT_SIGNAL: true', { exitSignal: true }],
  ['an exit signal after a semicolon', 'Fixed what was not working; EXIT_SIGNAL: true', { exitSignal: true }],
  [
    'an exit signal after a version number',
    'It will not recur in 1.5. EXIT_SIGNAL: true',
    { exitSignal: true },
  ],
  ['an exit signal announced for later', 'Soon — EXIT_SIGNAL: true will follow', {}],
  ['an exit signal withheld, with dashes', 'I am not setting – one mail is left – EXIT_SIGNAL: true', {}],
  ['an exit signal after an abbreviation', 'I cannot set e.g. EXIT_SIGNAL: true', {}],
  [
    'an exit signal withheld after a dash',
    'I am not finished — no EXIT_SIGNAL: true yet.',
    { status: 'failed' },
  ],
  ['an exit signal withheld in its own sentence', 'Two mails are not read. No EXIT_SIGNAL: true yet.', {}],
  ['an exit signal in code, withheld', 'One mail is not read. No `EXIT_SIGNAL: true` from me.', {}],
  ['an exit signal that is only announced', 'The mails come first. EXIT_SIGNAL: true follows', {}],
  ['an exit signal in a quotation', 'Never write "All is well. EXIT_SIGNAL: true"', {}],
  [
    'an exit signal after a quotation',
    'I did not write "All is well.", for it was not. EXIT_SIGNAL: true',
    { exitSignal: true },
  ],
  [
    'an exit signal after a long quotation',
    `${'x'.repeat(100)} "${'y'.repeat(180)}" was there. I did not touch the tests. EXIT_SIGNAL: true`,
    { exitSignal: true },
  ],
  ['a quoted exit signal', 'Two mails were not there. "EXIT_SIGNAL": true', { exitSignal: true }],
  ['an exit signal after the word no', 'Is one left? No. EXIT_SIGNAL: true', { exitSignal: true }],
  ['a conditional exit signal', 'When all is well I set EXIT_SIGNAL: true', {}],
  ['CRLF line endings', 'Done.\r\nEXIT_SIGNAL: true\r\n', { status: 'done', exitSignal: true }],
  [
    'in colors',
    '\u001b[32m✔ Done.\u001b[0m\n\u001b[1mEXIT_SIGNAL: true\u001b[0m',
    { status: 'done', exitSignal: true },
  ],

  ['a value', 'email_count: 3', { values: { email_count: 3 } }],
  ['a value, equals sign', 'I counted: email_count = 3.', { values: { email_count: 3 } }],
  ['a value in bold', '- **email_count:** 3 new mails', { values: { email_count: 3 } }],
  ['a value in code', 'Result: `email_count: 3`', { values: { email_count: 3 } }],
  ['a value with German quotes', 'build: „grün“', { values: { build: 'grün' } }],
  ['a value with a space before the colon', 'email_count : 3', { values: { email_count: 3 } }],
  [
    'a negative, a decimal, a grouped number',
    'email_count: -1\ntests.seconds: 1.5\ntests.total = 4,992',
    {
      values: { email_count: -1, 'tests.seconds': 1.5, 'tests.total': 4992 },
    },
  ],
  [
    'two values on a line',
    'tests.passed: 11, tests.total: 12',
    { values: { 'tests.passed': 11, 'tests.total': 12 } },
  ],
  ['a dotted probe', 'unread.mails = 0', { values: { 'unread.mails': 0 } }],
  ['a word', 'build: green', { values: { build: 'green' } }],
  ['a Boolean', 'build = true', { values: { build: true } }],
  ['a quoted text', 'build: "all green"', { values: { build: 'all green' } }],
  ['an object', 'tests: {"passed": 11}', { values: { tests: { passed: 11 } } }],
  ['the last value counts', 'email_count: 5\nemail_count: 0', { values: { email_count: 0 } }],
  ['an expected value', 'I expected email_count: 5. It should be email_count = 4.', {}],
  ['a compared value', 'The hint email_count == 3 and email_count >= 3 is checked.', {}],
  ['a change in a value', 'email_count: 5 -> 0', {}],
  ['a fraction', 'tests: 11/12 passed', {}],
  ['a range, a time, a version', 'email_count: 3-5\nbuild: 12:30\ntests: 1.2.3', {}],
  ['a word that is not a value', 'email_count: unknown\nbuild: pending', {}],
  ['a sentence', 'email_count: I looked and found some', {}],
  ['code', 'let email_count = 3;\nconst build = 4', {}],
  ['code in a code block', '```js\nemail_count = 3\n```', {}],
  ['a shell command', 'email_count=$(./count)', {}],
  ['names that only resemble a probe’s', 'my_email_count: 3\nthe-build: green\nemail_counts: 4', {}],
  ['an unknown probe name', 'mood: 3', {}],
  ['the task’s check', 'verify: email_count > 0', {}],

  ['a file created', 'Created notes/inbox.md', { files: ['notes/inbox.md'] }],
  ['a file with line numbers', 'I updated `src/a.ts:10-20` accordingly.', { files: ['src/a.ts'] }],
  [
    'a file in a sentence',
    'I wrote a summary of the three mails to notes/inbox.md.',
    { files: ['notes/inbox.md'] },
  ],
  [
    'a file with a description',
    'Added the new helper file src/count.ts to the project',
    { files: ['src/count.ts'] },
  ],
  [
    'several files',
    'Modified src/a.ts, src/b.ts and `docs/c.md`.',
    { files: ['src/a.ts', 'src/b.ts', 'docs/c.md'] },
  ],
  [
    'a list',
    "Files changed:\n- `src/a.ts` – imports from `src/b.ts`\n- docs/c.md (new)\n\nThat's all about src/d.ts.",
    {
      files: ['src/a.ts', 'docs/c.md'],
    },
  ],
  [
    'a list under a heading',
    '### Files created\n\n1. notes/inbox.md\n2. **notes/spam.md**: 3 mails\n',
    {
      files: ['notes/inbox.md', 'notes/spam.md'],
    },
  ],
  [
    'a table',
    '| file | what |\n|---|---|\n| notes/inbox.md | created |\n| src/a.ts | not touched |',
    {
      files: ['notes/inbox.md'],
    },
  ],
  ['passive voice', '`notes/inbox.md` has been successfully updated.', { files: ['notes/inbox.md'] }],
  ['passive voice, two files', 'src/a.ts and src/b.ts were modified', { files: ['src/a.ts', 'src/b.ts'] }],
  ['path, colon, verb', '- src/a.ts: added the counter', { files: ['src/a.ts'] }],
  [
    'deleted and renamed',
    'Deleted old/log.txt. Renamed src/a.ts to src/b.ts.',
    {
      files: ['old/log.txt', 'src/a.ts', 'src/b.ts'],
    },
  ],
  ['a link', 'Wrote the [summary](notes/inbox.md).', { files: ['notes/inbox.md'] }],
  ['German quotes', 'Created „notes/inbox.md“ with three entries.', { files: ['notes/inbox.md'] }],
  ['a Windows path', 'Saved to notes\\inbox.md', { files: ['notes\\inbox.md'] }],
  ['an absolute path', 'Output written to /home/me/ws/report.csv', { files: ['/home/me/ws/report.csv'] }],
  ['a folder', 'I created `notes/` for it', { files: ['notes/'] }],
  ['a checked box', '- [x] Created notes/inbox.md\n- [ ] Updated docs/c.md', { files: ['notes/inbox.md'] }],
  [
    'a file after a subordinate clause',
    'After reading src/a.ts, I created src/b.ts.',
    { files: ['src/b.ts'] },
  ],
  [
    'one file not written, but another',
    'I could not write src/a.ts, but I updated src/b.ts.',
    { files: ['src/b.ts'] },
  ],
  [
    'a file without an extension',
    'Added a Dockerfile and updated .gitignore',
    { files: ['Dockerfile', '.gitignore'] },
  ],

  ['a file read', 'I read src/a.ts and looked at docs/c.md.', {}],
  ['not written', 'I did not write notes/inbox.md; nothing was created in src/a.ts.', {}],
  ["hasn't been", "notes/inbox.md hasn't been created yet. src/a.ts was not modified.", {}],
  ['would be', 'This would have created notes/inbox.md, and src/a.ts would be updated.', {}],
  ['will be', 'I will have notes/inbox.md created next. src/a.ts will be updated.', {}],
  ['imperative', 'Create notes/inbox.md and write the summary to it. Update src/a.ts.', {}],
  ['in progress', "I'm creating notes/inbox.md now... Writing src/a.ts", {}],
  ['denied', 'The write was denied, so I could not have updated notes/inbox.md.', {}],
  ['failed', 'Failed: nothing could be written to notes/inbox.md', {}],
  ['an earlier change', 'notes/inbox.md was already created. It was previously modified in src/a.ts.', {}],
  ['someone else’s change', 'The user updated src/a.ts. You created docs/c.md.', {}],
  ['an adjective', 'I read the generated report.md and the updated src/a.ts.', {}],
  ['the source of the data', 'Created a summary of notes/in.md and generated numbers from data/x.csv', {}],
  [
    'a file used as a model',
    'I updated src/a.ts to match src/b.ts and to use src/c.ts',
    { files: ['src/a.ts'] },
  ],
  ['a mention of a file', 'Added a link to docs/c.md', {}],
  ['a relative clause', 'I read src/a.ts, which was created yesterday.', {}],
  ['a question', 'Should I have updated src/a.ts? Updated docs/c.md?', {}],
  ['a quote', '> Created notes/inbox.md', {}],
  ['a plan', '## Next steps\n- Updated docs/c.md with the numbers\n', {}],
  [
    'lists of files that did not change',
    'Files that would be changed:\n- src/a.ts\n\nFiles not modified:\n- src/b.ts',
    {},
  ],
  ['files read in a list', 'Files reviewed:\n- src/a.ts\n- src/b.ts', {}],
  ['a comment in a code block', '```ts\n// Created src/a.ts\n```\n```\nwrote docs/c.md\n```', {}],
  [
    'a diff',
    'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-// created src/old.ts\n+// Created src/new.ts\n\nThat is the change.',
    {},
  ],
  ['a command in code', 'I added `cat src/a.ts` to the notes', {}],
  [
    'products, calls, options, URLs',
    'Added Node.js, changed `config.timeout`, updated response.json() and https://example.com/a.html and --flag.md',
    {},
  ],
  [
    'versions and words with slashes',
    'Updated to v1.2.3 and/or changed the client/server split of text/html on origin/main',
    {},
  ],
  ['unchanged', 'src/a.ts is unchanged and src/b.ts remains untouched.', {}],
  ['a glob', 'Updated `src/*.ts`', {}],

  ['a program’s progress output', 'Fetching mails... done.', {}],
  ['nothing is done', 'Nothing is done. No task was completed.', {}],
  ['git status output', '\tmodified:   src/a.ts\n\tnew file:   src/b.ts', {}],
  ['moving on', 'Then I moved on to src/a.ts', {}],
  [
    'an aside',
    'I updated the notes in notes/inbox.md (see also docs/format.md).',
    { files: ['notes/inbox.md'] },
  ],
  ['a home folder', 'Saved to ~/.cache/x.json', { files: ['~/.cache/x.json'] }],
  [
    'a longer report',
    [
      "I'll check the inbox first.",
      '',
      '```bash',
      '$ ./count-mail',
      '3',
      '```',
      '',
      'There are 3 new emails. I have written a short summary.',
      '',
      '### Summary',
      '- Read `src/config.ts` to find the folder',
      '- Created `notes/inbox.md` (12 lines)',
      '- No changes to `README.md` were needed',
      '',
      'email_count = 3',
      '',
      'All tasks complete.',
      'EXIT_SIGNAL: true',
    ].join('\n'),
    { status: 'done', exitSignal: true, values: { email_count: 3 }, files: ['notes/inbox.md'] },
  ],
  [
    'an echoed prompt before the answer',
    [
      '- [ ] check_email | Write notes/inbox.md | required | verify: email_count > 0',
      'Say EXIT_SIGNAL: true|false. Never say that a task is done if it is not.',
      'If a file was created, name it: created notes/example.md? No.',
      '',
      'I could not reach the mail server, so the task is not done.',
      'EXIT_SIGNAL: false',
    ].join('\n'),
    { status: 'failed', exitSignal: false },
  ],
]

describe('the claims of a text without a report', () => {
  it.each(TRANSCRIPTS)('%s', (_, output, expected) => {
    const claim = claimOf(output)
    expect(said(claim)).toEqual({ status: null, exitSignal: null, values: {}, files: [], ...expected })
    expect(claim.source).toBe(Object.keys(expected).length > 0 ? 'text' : 'none')
  })
})

describe('a task whose id is part of many words', () => {
  it.each(['t', 'a', 'no', 'one', 'do', 'ask'])('does not change what the text says: %s', (taskId) => {
    const claimIn = (output: string): Claim['status'] | undefined =>
      extractClaims(output, { taskIds: [taskId], probeNames: [] }).get(taskId)?.status
    expect(claimIn('The work could not be completed.')).toBe('failed')
    expect(claimIn('It is not done yet.')).toBe('failed')
    expect(claimIn('Nothing needed doing, so nothing was touched.')).toBeNull()
    expect(claimIn('All done.')).toBe('done')
  })

  it('is read as a name if it is a separate word', () => {
    const claims = extractClaims('`do_not_fail` is complete.', { taskIds: ['do_not_fail'], probeNames: [] })
    expect(claims.get('do_not_fail')?.status).toBe('done')
  })
})
