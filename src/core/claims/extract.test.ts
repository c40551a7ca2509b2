import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { extractClaims } from './extract.ts'
import { type Claim, NO_CLAIM } from './types.ts'

const PROBES = ['email_count']

function claimOf(output: string, taskId = 'check_email'): Claim {
  return extractClaims(output, { taskIds: [taskId], probeNames: PROBES }).get(taskId) as Claim
}

function block(json: unknown, fence = '```', info = 'heartbeat-report'): string {
  return `${fence}${info}\n${typeof json === 'string' ? json : JSON.stringify(json)}\n${fence}\n`
}

const REPORT = {
  task_id: 'check_email',
  status: 'done',
  claims: { email_count: 3 },
  files: ['notes/inbox.md'],
  evidence: ['notes/inbox.md:1-12 summary of 3 new emails'],
  exit_signal: true,
}
const CLAIM: Claim = {
  status: 'done',
  values: { email_count: 3 },
  files: [{ path: 'notes/inbox.md' }],
  evidence: ['notes/inbox.md:1-12 summary of 3 new emails'],
  exitSignal: true,
  source: 'report',
  notes: [],
}

describe('a report block', () => {
  it.each<[string, string]>([
    ['in the requested format', `All good.\n\n${block(REPORT)}`],
    ['spread over several lines', block(JSON.stringify(REPORT, null, 2))],
    ['in a list', block([REPORT])],
    ['with a longer fence', block(REPORT, '`````')],
    ['with tildes', block(REPORT, '~~~')],
    ['in capitals, followed by a word', block(REPORT, '```', ' Heartbeat-Report json')],
    ['indented', block(JSON.stringify(REPORT, null, 2)).replace(/^/gm, '    ')],
    ['with its format before its name', block(REPORT, '```', 'json heartbeat-report')],
    ['quoted', block(JSON.stringify(REPORT, null, 2)).replace(/^/gm, '> ')],
    ['after a byte order mark', `\ufeff${block(REPORT)}`],
    ['with CRLF', block(JSON.stringify(REPORT, null, 2)).replaceAll('\n', '\r\n')],
    ['with classic Mac line endings', block(REPORT).replaceAll('\n', '\r')],
    ['in colors', block(REPORT).replace(/^/gm, '\u001b[36m').replace(/$/gm, '\u001b[0m')],
    ['not closed at the end', block(REPORT).replace(/```\n$/, '')],
    ['not closed, with text after it', `${block(REPORT).replace(/```\n$/, '')}\nThat was all {of} it.`],
    ['closed by a longer fence', `\`\`\`heartbeat-report\n${JSON.stringify(REPORT)}\n\`\`\`\`\`\n`],
    ['after a code block that was never closed', `\`\`\`ts\nconst a = 1\n${block(REPORT)}`],
    ['starting on the line of its fence', `\`\`\`heartbeat-report ${JSON.stringify(REPORT)}\n\`\`\`\n`],
    [
      'starting on the line of its fence and spread over several lines',
      `\`\`\`heartbeat-report ${JSON.stringify(REPORT, null, 2)}\n\`\`\`\n`,
    ],
    ['with unknown keys', block({ ...REPORT, mood: 'good' })],
    ['with spaces and capitals in its id', block({ ...REPORT, task_id: ' Check  Email ' })],
    ['before text that contradicts it', `${block(REPORT)}\nNot done. EXIT_SIGNAL: false\nemail_count: 9`],
  ])('%s', (_, output) => {
    expect(claimOf(output)).toEqual(CLAIM)
  })

  it('counts if it is the last that names the task', () => {
    const earlier = block({ ...REPORT, status: 'failed' })
    const another = block({ ...REPORT, task_id: 'other', status: 'skipped' })
    expect(claimOf(`${earlier}${block(REPORT)}${another}`)).toEqual(CLAIM)
    expect(claimOf(block([{ ...REPORT, status: 'failed' }, REPORT]))).toEqual(CLAIM)
  })

  it('counts if it is the last of a longer list than is read', () => {
    const others = Array.from({ length: 1000 }, () => REPORT)
    expect(claimOf(block([...others, { ...REPORT, status: 'failed' }])).status).toBe('failed')
    expect(claimOf(block([{ ...REPORT, status: 'failed' }, ...others]))).toEqual(CLAIM)
  })

  it('is not read from a quotation beside it', () => {
    const quoted = block(JSON.stringify({ ...REPORT, files: ['example.md'] }, null, 2)).replace(/^/gm, '> ')
    expect(claimOf(`${block(REPORT)}\nThe format, as in docs/report.md:\n\n${quoted}`)).toEqual(CLAIM)
    expect(claimOf(`${block(REPORT)}\n${quoted.replace('{', '{{')}`)).toEqual(CLAIM)
    const honest = block({ ...REPORT, status: 'failed' })
    expect(claimOf(`${block(REPORT).replace(/^/gm, '> ')}\n${honest}`).status).toBe('failed')
  })

  it('is not read from the prompt’s template', () => {
    const template = block({ ...REPORT, status: 'done | skipped | failed' })
    expect(claimOf(`${template}\nI looked around.`)).toEqual(NO_CLAIM)
    expect(claimOf(block({ ...REPORT, task_id: '<task id>' }))).toEqual(NO_CLAIM)
    for (const status of ['<done, skipped or failed>', '"done" | "failed" | …', '...'])
      expect(claimOf(block({ ...REPORT, status }))).toEqual(NO_CLAIM)
  })

  it.each(['in progress…', 'working...', '50 % | next: tests', 'waiting <1 min'])(
    'is no template if its status is "%s", so words beside it do not complete the task',
    (status) => {
      const claim = claimOf(`${block({ ...REPORT, status })}\nAll done.\nEXIT_SIGNAL: true`)
      expect(claim).toMatchObject({ status: null, exitSignal: null, source: 'report' })
      expect(claim.incomplete).toBe(`its status is "${status}"`)
    },
  )

  it.each(['Done…', 'done...'])('is complete if its status is "%s"', (status) => {
    expect(claimOf(block({ ...REPORT, status }))).toMatchObject({ status: 'done', exitSignal: true })
  })

  it('is a code block if it has another name', () => {
    expect(claimOf(block(REPORT, '```', 'json'))).toEqual({ ...NO_CLAIM, exitSignal: true, source: 'text' })
  })
})

describe('a field of a report', () => {
  it.each<[string, unknown, Partial<Claim>, RegExp | null]>([
    ['status', 'DONE', { status: 'done' }, null],
    ['status', 'completed', { status: 'done' }, /"completed" was taken as done/],
    ['status', 'success', { status: 'done' }, /taken as done/],
    ['status', ' Skipped', { status: 'skipped' }, null],
    ['status', 'failed', { status: 'failed' }, null],
    ['status', 'in_progress', { status: null }, /must be done, skipped or failed, not "in_progress"/],
    ['status', true, { status: null }, /not true/],
    ['status', 'constructor', { status: null }, /must be/],
    ['status', undefined, { status: null }, /missing/],
    ['claims', undefined, { values: {} }, null],
    ['claims', null, { values: {} }, null],
    ['claims', 'three', { values: {} }, /`claims` must be an object/],
    ['claims', [3], { values: {} }, /`claims` must be an object/],
    ['claims', { a: [1, { b: null }], 'c.d': 'x' }, { values: { a: [1, { b: null }], 'c.d': 'x' } }, null],
    ['claims', { big: 'x'.repeat(100_000), ok: 1 }, { values: { ok: 1 } }, /"big" is too large/],
    ['files', 'a.md', { files: [{ path: 'a.md' }] }, null],
    ['files', ['a.md:3'], { files: [{ path: 'a.md', startLine: 3, endLine: 3 }] }, null],
    [
      'files',
      ['a.md:3-9', 'b.md#L2-L4'],
      {
        files: [
          { path: 'a.md', startLine: 3, endLine: 9 },
          { path: 'b.md', startLine: 2, endLine: 4 },
        ],
      },
      null,
    ],
    ['files', ['a.md:3:7'], { files: [{ path: 'a.md', startLine: 3, endLine: 3 }] }, null],
    [
      'files',
      ['`a.md` (new)', 'b.md - created', 'c.md lines 1-2'],
      { files: [{ path: 'a.md' }, { path: 'b.md' }, { path: 'c.md', startLine: 1, endLine: 2 }] },
      null,
    ],
    [
      'files',
      ['Meeting - notes.md', 'C:\\a.md'],
      { files: [{ path: 'Meeting - notes.md' }, { path: 'C:\\a.md' }] },
      null,
    ],
    [
      'files',
      ['copy (2)', 'plan - draft', ' a.md'],
      {
        files: [
          { path: 'copy', entry: 'copy (2)' },
          { path: 'plan', entry: 'plan - draft' },
          { path: 'a.md', entry: ' a.md' },
        ],
      },
      null,
    ],
    [
      'files',
      [{ path: 'a.md', lines: '1-2' }, { file: 'b.md' }],
      { files: [{ path: 'a.md' }, { path: 'b.md' }] },
      null,
    ],
    ['files', { path: 'a.md' }, { files: [{ path: 'a.md' }] }, null],
    ['files', [{ a: 1 }], { files: [] }, /`files` that are not strings/],
    ['files', ['a.md', 7, '', null], { files: [{ path: 'a.md' }] }, /`files` that are not strings/],
    ['files', { a: 1 }, { files: [] }, /`files` must be a list/],
    ['files', Array(2600).fill('a.md'), { files: Array(2000).fill({ path: 'a.md' }) }, /first 2000/],
    ['evidence', 'see a.md', { evidence: ['see a.md'] }, null],
    ['evidence', 3, { evidence: [] }, /`evidence` must be/],
    ['exit_signal', 'TRUE', { exitSignal: true }, null],
    ['exit_signal', 'false', { exitSignal: false }, null],
    ['exit_signal', 1, { exitSignal: null }, /`exit_signal` must be/],
    ['exit_signal', null, { exitSignal: null }, null],
  ])('%s %j', (key, value, expected, note) => {
    const claim = claimOf(block({ ...REPORT, [key]: value }))
    expect(claim).toMatchObject({ source: 'report', ...expected })
    if (note === null) expect(claim.notes).toEqual([])
    else expect(claim.notes.join('; ')).toMatch(note)
  })

  it('is left out if nested too deeply, and the others are kept', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const claim = claimOf(block(`{"task_id":"check_email","status":"done","claims":{"deep":${deep},"ok":1}}`))
    expect(claim.values).toEqual({ ok: 1 })
    expect(claim.notes).toEqual(['the claim "deep" is too large and was left out'])
  })

  it('cannot change prototypes', () => {
    const claim = claimOf(block('{"task_id":"check_email","status":"done","claims":{"__proto__":{"x":1}}}'))
    expect(({} as Record<string, unknown>).x).toBeUndefined()
    expect(Object.getPrototypeOf(claim.values)).toBe(Object.prototype)
  })
})

describe('a report that cannot be parsed', () => {
  const broken = block('{"task_id": "check_email", "status": "done", "claims": {"email_count": 3},}')

  it('falls back to the text, with a note', () => {
    expect(claimOf(`${broken}\nEXIT_SIGNAL: true`)).toEqual({
      ...NO_CLAIM,
      status: 'done',
      values: { email_count: 3 },
      exitSignal: true,
      source: 'text',
      notes: [expect.stringMatching(/could not be read: not valid JSON/)],
    })
  })

  it('overrides an earlier one', () => {
    expect(claimOf(`${block({ ...REPORT, status: 'failed' })}${broken}`)).toMatchObject({
      status: 'done',
      source: 'text',
    })
  })

  it('does not override a later one', () => {
    expect(claimOf(`${broken}${block(REPORT)}`)).toEqual(CLAIM)
  })

  it.each(['', '3', '"text"', 'null', '[]', '[1, 2]', '{', '}{', 'not json at all'])('%j', (body) => {
    const claim = claimOf(block(body))
    expect(claim).toMatchObject({ status: null, source: 'none' })
    expect(claim.notes).toHaveLength(1)
  })
})

describe('the task a report is about', () => {
  it('is the only task if the report names none', () => {
    const { task_id: _, ...nameless } = REPORT
    const claim = claimOf(block(nameless))
    expect(claim).toEqual({ ...CLAIM, notes: ['the report names no task'] })
  })

  it('is not the only task if the report names another; then the text counts', () => {
    expect(claimOf(`${block({ ...REPORT, task_id: 'other' })}\nNot done.`)).toEqual({
      ...NO_CLAIM,
      status: 'failed',
      source: 'text',
      notes: ['the report names another task: other'],
    })
  })

  it('is found by name among several tasks, and the text counts for none of them', () => {
    const output = `${block([REPORT, { task_id: 'Write Notes', status: 'failed' }])}\nAll done. EXIT_SIGNAL: true`
    const claims = extractClaims(output, {
      taskIds: ['check_email', 'write_notes', 'tidy'],
      probeNames: PROBES,
    })
    expect([...claims.keys()]).toEqual(['check_email', 'write_notes', 'tidy'])
    expect(claims.get('check_email')).toEqual(CLAIM)
    expect(claims.get('write_notes')).toMatchObject({ status: 'failed', source: 'report' })
    expect(claims.get('tidy')).toEqual({ ...NO_CLAIM, notes: ['no report names this task'] })
  })

  it('is unknown among several tasks if the report names none or cannot be parsed', () => {
    const { task_id: _, ...nameless } = REPORT
    const taskIds = ['check_email', 'tidy']
    for (const output of [block(nameless), block('{"task_id": "tidy", oops'), 'All tasks complete.']) {
      const claims = extractClaims(output, { taskIds, probeNames: PROBES })
      for (const taskId of taskIds) expect(claims.get(taskId)).toMatchObject({ status: null, source: 'none' })
    }
  })

  it('is affected by a broken report only if the report names it', () => {
    const output =
      block([{ ...REPORT, task_id: 'a' }]) + block('[{"task_id": "b", "status": "done and all that",}]')
    const claims = extractClaims(output, { taskIds: ['a', 'b'], probeNames: PROBES })
    expect(claims.get('a')).toEqual(CLAIM)
    expect(claims.get('b')).toMatchObject({ status: null, source: 'none' })
  })

  it('returns nothing if there are no tasks', () => {
    expect(extractClaims(block(REPORT), { taskIds: [], probeNames: [] }).size).toBe(0)
  })
})

describe('any output', () => {
  const pieces = fc.constantFrom(
    '```heartbeat-report\n',
    '```',
    '~~~',
    '\n',
    '\r',
    '{',
    '}',
    '[',
    '"',
    '\\',
    'task_id',
    ': ',
    '= ',
    ' done ',
    'not ',
    'EXIT_SIGNAL: true',
    'email_count',
    '3',
    'created ',
    'a.md',
    ', ',
    'and ',
    '> ',
    '- ',
    '# ',
    '\u001b[',
    '@@ -',
    '(',
    ')',
    '`',
    '„',
    '/',
    '.',
    'to ',
  )

  it('is read without throwing (seed 11)', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces, { maxLength: 80 }).map((all) => all.join('')),
        ),
        (output) => {
          expect(claimOf(output).notes.length).toBeLessThanOrEqual(25)
        },
      ),
      { seed: 11, numRuns: 1500 },
    )
  })

  it('yields the report after any noise (seed 12)', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (noise) => {
        fc.pre(!noise.includes('```heartbeat-report\n'))
        expect(claimOf(`${noise.join('')}\n${block(REPORT)}`)).toEqual(CLAIM)
      }),
      { seed: 12, numRuns: 500 },
    )
  })

  const MEGABYTE = 1_000_000
  it.each<[string, string]>([
    ['one very long word', 'x'.repeat(8 * MEGABYTE)],
    ['one very long line of words', 'created a.md and '.repeat(MEGABYTE / 8)],
    ['many lines', 'Created a.md, b.md and c.md.\n'.repeat(MEGABYTE / 8)],
    ['many exit signals on a line', 'EXIT_SIGNAL: true '.repeat(MEGABYTE / 8)],
    ['many unclosed reports', '```heartbeat-report\n{"task_id"\n'.repeat(MEGABYTE / 16)],
    ['many fences', '```\n'.repeat(MEGABYTE)],
    ['blank lines', '\n'.repeat(4 * MEGABYTE)],
    ['spaces', `${' '.repeat(4 * MEGABYTE)}x`],
    ['quote marks', `${'> '.repeat(2 * MEGABYTE)}x`],
    ['brackets', '[('.repeat(2 * MEGABYTE)],
    ['quotes', '`"„«'.repeat(MEGABYTE)],
    ['escapes', '\u001b[0;\u001b]'.repeat(MEGABYTE / 2)],
    [
      'a deeply nested report',
      block(`{"task_id":"check_email","status":"done","claims":{"a":${'['.repeat(MEGABYTE)}`),
    ],
    ['dots and slashes', 'created ./../a.b/'.repeat(MEGABYTE / 4)],
  ])('is read in bounded time: %s', (_, output) => {
    expect(processorMs(() => claimOf(output))).toBeLessThan(5000)
  })

  it('yields its report even if it is larger than the part that is searched', () => {
    expect(claimOf(`${'noise\n'.repeat(MEGABYTE)}${block(REPORT)}`)).toEqual(CLAIM)
  })
})
