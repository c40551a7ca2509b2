import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { extractClaims } from './extract.ts'
import { readToolReport } from './tool-report.ts'
import type { Claim } from './types.ts'

/* Manners in which agents fill in a report, each honest one beside the liar who looks like it. */

const block = (report: unknown): string => `\`\`\`heartbeat-report\n${JSON.stringify(report)}\n\`\`\`\n`

function claimOf(report: unknown, taskId = 'a'): Claim {
  const claims = extractClaims(block(report), { taskIds: [taskId], probeNames: ['email_count'] })
  return claims.get(taskId) as Claim
}

describe('an entry of `files` that denies what the field says', () => {
  const filesOf = (files: unknown): readonly string[] =>
    claimOf({ task_id: 'a', status: 'done', files }).files.map(({ path }) => path)

  it.each<[unknown]>([
    ['none'],
    [['None.']],
    [['(none)']],
    [['N/A']],
    [['-']],
    [['—']],
    [['null']],
    [['keine']],
    [['Keine Änderungen.']],
    [['No files']],
    [['No files were changed']],
    [['no changes to src/a.ts needed']],
    [['No source files changed.']],
    [['src/a.ts (unchanged)']],
    [['src/a.ts (unchanged, already correct)']],
    [['`src/a.ts` (not modified)']],
    [['src/a.ts (no changes needed)']],
    [['src/a.ts (already done in the last run)']],
    [['src/a.ts (read-only)']],
    [['src/a.ts (read)']],
    [['src/a.ts - unchanged']],
  ])('%j claims nothing, and is noted', (files) => {
    const claim = claimOf({ task_id: 'a', status: 'done', files })
    expect(claim.files).toEqual([])
    expect(claim.notes).toEqual(['entries of `files` that say that nothing was written were left out'])
  })

  it.each<[unknown, readonly string[]]>([
    [['never.md'], ['never.md']],
    [['never.md (new)'], ['never.md']],
    [['never.md (changed, not tested)'], ['never.md']],
    [['never.md (read and updated)'], ['never.md']],
    [['none', 'never.md'], ['never.md']],
    [['src/a.ts (unchanged)', 'never.md'], ['never.md']],
    [['no files.md'], ['no files.md']],
    [['nothing.md'], ['nothing.md']],
    [['none/never.md'], ['none/never.md']],
    [['报告'], ['报告']],
    [['*'], ['*']],
    [['.'], ['.']],
    [
      ['already.md', 'unchanged.txt', 'notes/unchanged'],
      ['already.md', 'unchanged.txt', 'notes/unchanged'],
    ],
  ])('%j goes on claiming the others', (files, expected) => {
    expect(filesOf(files)).toEqual(expected)
  })

  it.each([`a (unchanged${' '.repeat(1900)}(`, `no files${' '.repeat(1900)}\nx`, ' - already'.repeat(190)])(
    'is read in bounded time, however long',
    (long) => {
      expect(processorMs(() => filesOf(Array(1000).fill(long)))).toBeLessThan(5000)
    },
  )
})

describe('a task whose id looks like a form to fill in', () => {
  const ids = ['make_p95_latency_<_200_ms', 'update_the_docs...', 'a_|_b', '<main>', '…']

  it.each(ids)('is told by its name: %s', (id) => {
    const report = { task_id: id, status: 'done', claims: { email_count: 3 }, exit_signal: true }
    expect(claimOf(report, id)).toMatchObject({ status: 'done', values: { email_count: 3 }, notes: [] })
    expect(readToolReport(report, [id], [])).toMatchObject({ ok: true, entry: { taskId: id } })
  })

  it.each(['<task id>', '...', '…'])('is no template of another task: %s', (name) => {
    expect(claimOf({ task_id: name, status: 'done' })).toMatchObject({ status: null, notes: [] })
  })

  it('stays without a claim where the form itself is printed', () => {
    for (const id of ids) {
      const form = { task_id: id, status: '<done, skipped or failed>', claims: { email_count: 3 } }
      expect(claimOf(form, id)).toMatchObject({ status: null, values: {}, source: 'none' })
    }
  })

  it('is not told by a name of brackets that is not its own', () => {
    const claim = claimOf({ task_id: 'b < 3', status: 'done' })
    expect(claim).toMatchObject({ status: null, notes: ['the report names another task: b < 3'] })
  })
})
