import { expect, it } from 'vitest'
import { readReportEntries } from './report.ts'

function pathsOf(files: unknown): readonly string[] | undefined {
  return readReportEntries({ task_id: 'a', status: 'done', files })?.[0]?.claim.files.map(({ path }) => path)
}

it.each<[unknown, readonly string[]]>([
  ['a.md', ['a.md']],
  ['a.md, docs/b.md', ['a.md', 'docs/b.md']],
  ['a.md\ndocs/b.md', ['a.md', 'docs/b.md']],
  [['old.ts -> src/new.ts'], ['old.ts', 'src/new.ts']],
  [['old.ts → src/new.ts'], ['old.ts', 'src/new.ts']],
  [['modified: src/a.ts'], ['src/a.ts']],
  [['Created notes/inbox.md'], ['notes/inbox.md']],
  [
    ['M src/a.ts', 'D  src/b.ts'],
    ['src/a.ts', 'src/b.ts'],
  ],
  [
    ['src/a.ts (new)', '`src/b.ts`', 'src/c.ts:3-9'],
    ['src/a.ts', 'src/b.ts', 'src/c.ts'],
  ],
  [[{ path: 'src/a.ts', lines: '1-3' }], ['src/a.ts']],
  [['my notes, part two.md'], ['my notes, part two.md']],
  [['src/{a,b}.ts'], ['src/{a,b}.ts']],
  [['new folder/a.md'], ['new folder/a.md']],
])('files %j name %j', (files, paths) => {
  expect(pathsOf(files)).toEqual(paths)
})

it.each<[string, unknown]>([
  ['a value that is too large', { claims: { mails: 'x'.repeat(70_000) } }],
  ['a path that is too long', { files: ['x'.repeat(3000)] }],
])('notes that %s was not read', (_, fields) => {
  const claim = readReportEntries({ task_id: 'a', status: 'done', ...(fields as object) }, ['mails'])?.[0]
    ?.claim
  expect(claim?.isPartlyUnread).toBe(true)
})
