import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { extractClaims } from './extract.ts'
import { readToolReport } from './tool-report.ts'
import type { Claim } from './types.ts'

/* How agents fill in reports. Each honest example is next to the false claim that looks like it. */

const block = (report: unknown): string => `\`\`\`heartbeat-report\n${JSON.stringify(report)}\n\`\`\`\n`

function claimOf(report: unknown, taskId = 'a'): Claim {
  const claims = extractClaims(block(report), { taskIds: [taskId], probeNames: ['email_count'] })
  return claims.get(taskId) as Claim
}

describe('an entry of `files` that says that nothing was written', () => {
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
    [['src/a.ts (read only, unchanged)']],
    [['src/a.ts - unchanged']],
    [['src/a.ts (verified, no changes needed)']],
    [['src/a.ts - checked; unchanged']],
    [['src/a.ts (unverändert)']],
    [['src/a.ts – inchangé']],
    [['src/a.ts（未修改）']],
  ])('%j claims nothing, with a note', (files) => {
    const claim = claimOf({ task_id: 'a', status: 'done', files })
    expect(claim.files).toEqual([])
    expect(claim.notes).toEqual(['entries of `files` that say nothing was written were left out'])
  })

  it.each(['...', '…', 'and 3 more', '+2 other files', '... and 12 more files', '(und 3 weitere)', 'etc.'])(
    '%s means unnamed files and does not count against the claim',
    (entry) => {
      const claim = claimOf({ task_id: 'a', status: 'done', files: ['never.md', entry] })
      expect(claim.files.map(({ path }) => path)).toEqual(['never.md'])
      expect(claim.notes).toEqual(['entries of `files` that name no file were left out'])
    },
  )

  it.each<[unknown, readonly string[]]>([
    [['never.md'], ['never.md']],
    [['never.md (new)'], ['never.md']],
    [['never.md (changed, not tested)'], ['never.md']],
    [['never.md (read and updated)'], ['never.md']],
    [['never.md (verified)'], ['never.md']],
    [['never.md (checked, now changed)'], ['never.md']],
    [['none', 'never.md'], ['never.md']],
    [['src/a.ts (unchanged)', 'never.md'], ['never.md']],
    [['no files.md'], ['no files.md']],
    [['and 3 more.md'], ['and 3 more.md']],
    [['3 more/never.md'], ['3 more/never.md']],
    [['...never.md'], ['...never.md']],
    [['src/...'], ['src/...']],
    [['nothing.md'], ['nothing.md']],
    [['none/never.md'], ['none/never.md']],
    [['报告'], ['报告']],
    [['*'], ['*']],
    [['.'], ['.']],
    [
      ['already.md', 'unchanged.txt', 'notes/unchanged'],
      ['already.md', 'unchanged.txt', 'notes/unchanged'],
    ],
  ])('%j still claims the others', (files, expected) => {
    expect(filesOf(files)).toEqual(expected)
  })

  it.each([`a (unchanged${' '.repeat(1900)}(`, `no files${' '.repeat(1900)}\nx`, ' - already'.repeat(190)])(
    'is read in bounded time, however long',
    (long) => {
      expect(processorMs(() => filesOf(Array(1000).fill(long)))).toBeLessThan(5000)
    },
  )
})

describe('a status that is not a known word for completion', () => {
  const exitOf = (status: string) => claimOf({ task_id: 'a', status, exit_signal: true }).exitSignal

  it.each([
    'partial',
    'partially_done',
    'not done',
    'in-progress',
    'nicht erledigt',
    'unvollständig',
    '未完成',
    'не готово',
    'not yet done',
    'done but not tested',
    'no terminado',
    'not done, sorry',
    'aborted',
    'error',
    'timed out',
    'cancelled',
    'deferred',
    'NEEDS_CONTEXT',
    'needs_review',
    '部分完成',
    '作業中',
    'abgebrochen',
    'no-op',
    'no changes needed',
    'nothing to do',
    'unchanged',
    'noted',
    'done - pending review',
    'done (except the delete path)',
    'completed with errors',
    '已完成，没有错误',
    '完成，未测试',
  ])('is not a completion, whatever the signal: %s', (status) => expect(exitOf(status)).toBeNull())

  it.each([
    'done',
    'ok',
    'completed (no errors)',
    'completed with no errors',
    'Done: no further work',
    'no problems, done',
    'fertig, nicht mehr als verlangt',
  ])('is a completion if the remark does not retract it: %s', (status) => expect(exitOf(status)).toBe(true))
})

describe('a task whose id looks like a template', () => {
  const ids = ['make_p95_latency_<_200_ms', 'update_the_docs...', 'a_|_b', '<main>', '…']

  it.each(ids)('is recognized by its name: %s', (id) => {
    const report = { task_id: id, status: 'done', claims: { email_count: 3 }, exit_signal: true }
    expect(claimOf(report, id)).toMatchObject({ status: 'done', values: { email_count: 3 }, notes: [] })
    expect(readToolReport(report, [id], [])).toMatchObject({ ok: true, entry: { taskId: id } })
  })

  it.each(['<task id>', '...', '…'])('is not taken for a template of another task: %s', (name) => {
    expect(claimOf({ task_id: name, status: 'done' })).toMatchObject({ status: null, notes: [] })
  })

  it('has no claim if the template itself is printed', () => {
    for (const id of ids) {
      const form = { task_id: id, status: '<done, skipped or failed>', claims: { email_count: 3 } }
      expect(claimOf(form, id)).toMatchObject({ status: null, values: {}, source: 'none' })
    }
  })

  it('is not matched by a different name in brackets', () => {
    const claim = claimOf({ task_id: 'b < 3', status: 'done' })
    expect(claim).toMatchObject({ status: null, notes: ['the report names another task: b < 3'] })
  })
})

describe('a report wrapped in an object', () => {
  const entry = { task_id: 'a', status: 'done', claims: { email_count: 3 }, files: ['never.md'] }
  const read = { status: 'done', values: { email_count: 3 }, files: [{ path: 'never.md' }], notes: [] }

  it.each([
    { tasks: [entry] },
    { reports: [entry], exit_signal: true },
    { heartbeat_report: entry },
    { results: entry },
    { report: entry, summary: 'All well' },
  ])('is read: %j', (report) => {
    expect(claimOf(report)).toMatchObject(read)
    expect(readToolReport(report, ['a'], [])).toMatchObject({ ok: true })
  })

  it.each([
    { tasks: { report: [entry] } },
    { tasks: [entry], reports: [entry] },
    { tasks: [{ email_count: 3 }] },
    { summary: [entry] },
  ])('is not read if nested deeper, twice or elsewhere: %j', (report) => {
    expect(claimOf(report)).toMatchObject({ status: null, values: {}, files: [] })
  })

  it('is ignored if the outer object is a report', () => {
    const claim = claimOf({ task_id: 'a', status: 'failed', results: [entry] })
    expect(claim).toMatchObject({ status: 'failed', values: {} })
  })

  it('is rejected from a tool if it contains several', () => {
    expect(readToolReport({ tasks: [entry, { ...entry, task_id: 'b' }] }, ['a', 'b'], []).ok).toBe(false)
  })
})

describe('fields of another shape', () => {
  const claimed = (more: object): Claim => claimOf({ task_id: 'a', status: 'done', ...more })

  it.each([
    [[{ name: 'email_count', value: 3 }], { email_count: 3 }],
    [
      [
        { name: 'email_count', value: 3 },
        { name: 'email_count', value: 9 },
      ],
      { email_count: 9 },
    ],
    [[{ name: 'email_count', value: 3 }, 'x'], { email_count: 3 }],
    [[{ email_count: 3 }, { drafts: 1, sent: 2 }], { email_count: 3, drafts: 1, sent: 2 }],
    [[{ email_count: 3 }, { name: 'email_count', value: 9 }], { email_count: 9 }],
    [['email_count is 3', 3, null, [3]], {}],
    [[], {}],
  ])('accepts `claims` as names and values: %j', (claims, values) => {
    expect(claimed({ claims }).values).toEqual(values)
  })

  it.each<[unknown, readonly string[]]>([
    [{ 'never.md': 'created' }, ['never.md']],
    [{ 'never.md': 'created', 'src/a.ts': 'unchanged (right)' }, ['never.md']],
    [{ created: ['never.md'], modified: [{ path: 'b.md' }], read: ['c.md'] }, ['never.md', 'b.md']],
    [
      [
        { path: 'never.md', status: 'new' },
        { path: 'src/a.ts', status: 'unchanged' },
      ],
      ['never.md'],
    ],
    [{ path: 'never.md', action: 'modified' }, ['never.md']],
    [{ count: 'two' }, []],
  ])('accepts `files` grouped by action: %j', (files, paths) => {
    expect(claimed({ files }).files.map(({ path }) => path)).toEqual(paths)
  })

  it.each<[string, Claim['status']]>([
    ['done ✅', 'done'],
    ['✅ Done.', 'done'],
    ['Completed!', 'done'],
    ['failed.', 'failed'],
    ['Erledigt', 'done'],
    ['termine\u0301', 'done'],
    ['已完成', 'done'],
    ['übersprungen', 'skipped'],
    ['失败', 'failed'],
    ['nicht erledigt', null],
    ['未完成', null],
    ['done ❌', null],
    ['done: no', null],
    ['completed (false)', null],
    ['done: no errors', 'done'],
    ['done: 0 failures', 'done'],
    ['done, aber Tests fehlen', null],
    ['erledigt, bis auf die Tests', null],
    ['completado (falta la prueba)', null],
    ['terminé sauf les tests', null],
    ['erledigt: 3 Dateien', 'done'],
    ['done, the brakes too', 'done'],
    ['erledigt, ohne Fehler', 'done'],
    ['erledigt, ohne Tests', null],
    ['done, 3 files with many lines', 'done'],
    ['not done', null],
    ['done?', null],
    [`done${'.'.repeat(100_000)}`, null],
  ])('accepts `status`: %.20s', (status, read) => {
    expect(claimOf({ task_id: 'a', status }).status).toBe(read)
  })
})

describe('a `task_id` with formatting', () => {
  const reported = (task_id: string, ...taskIds: readonly string[]): readonly string[] => {
    const claims = extractClaims(block({ task_id, status: 'done' }), { taskIds, probeNames: [] })
    return taskIds.filter((id) => claims.get(id)?.status === 'done')
  }

  it.each([
    '`check_email`',
    '1. check email',
    '- [x] **Check email**',
    'check_email: count it',
    'Check email – count it',
  ])('names the only task: %s', (name) => {
    expect(reported(name, 'check_email')).toEqual(['check_email'])
  })

  it.each(['check_email_2', 'check_email-all: x', 'check', '2'])('names another task: %s', (name) => {
    expect(reported(name, 'check_email')).toEqual([])
  })

  it('matches whether or not its letters are composed', () => {
    expect(reported('a\u0308ndern', 'ändern', 'andern')).toEqual(['ändern'])
    expect(reported('ändern', 'a\u0308ndern', 'andern')).toEqual(['a\u0308ndern'])
  })

  it('prefers an exact match to one without marks', () => {
    expect(reported('1. x', 'x', '1._x')).toEqual(['1._x'])
    expect(reported('1. x', 'x', '2._x')).toEqual(['x'])
    expect(reported('x: do it', 'x', 'y')).toEqual([])
    expect(reported('_x_', 'x', '_x_')).toEqual(['_x_'])
  })
})

describe('completion words in a denial', () => {
  const spoken = (text: string): Claim['status'] | undefined =>
    extractClaims(text, { taskIds: ['a'], probeNames: [] }).get('a')?.status

  it.each([
    'Task completed: no. I could not reach it.',
    'Done: nothing yet',
    'done: false',
    'Task complete? No.',
  ])('claim nothing: %s', (text) => {
    expect(spoken(text)).toBeNull()
  })

  it.each(['Done: no changes were needed.', 'Done: nothing to do', 'Task completed: yes', 'Done: notes.md'])(
    'remain a claim if they say how the work went: %s',
    (text) => {
      expect(spoken(text)).toBe('done')
    },
  )
})
