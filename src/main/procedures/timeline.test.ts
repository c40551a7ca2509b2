import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../../core/configuration/scoring.ts'
import type { EventBody } from '../../core/record/events.ts'
import { resolveStanding } from '../../core/scoring/standing.ts'
import { recordStandings } from '../host/timeline-standing.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import { openTimeline } from '../ledger/timeline-reader.ts'
import type { Ledger } from '../ports/ledger.ts'
import { withSteps } from '../ports/ledger.ts'
import { timelineDocument } from './timeline.ts'

let place: TemporaryLedger
let ledger: Ledger
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeEach(async () => {
  place = await temporaryLedger()
  ledger = await place.open()
})
afterEach(() => place.remove())

async function exported(format: 'json' | 'csv', filter = {}): Promise<string> {
  const timeline = await openTimeline({ directory: place.directory, head: () => ledger.state.seq, log })
  let text = ''
  // Safe: only the runtime's timeline is used.
  for await (const piece of timelineDocument({ timeline } as WorkspaceRuntime, filter, format)) text += piece
  return text
}

const thumb = (note: string): EventBody => ({
  type: 'feedback-given',
  attemptId: null,
  feedback: 'down',
  note,
  points: -10,
})

test('JSON is one array of all matching entries, newest first', async () => {
  expect(JSON.parse(await exported('json'))).toEqual([])
  await ledger.append(...Array.from({ length: 1200 }, (_, index) => thumb(`note ${index}`)), {
    type: 'resumed',
  })
  const entries: { note: string }[] = JSON.parse(await exported('json', { kinds: ['feedback'] }))
  expect(entries).toHaveLength(1200)
  expect(entries[0]?.note).toBe('note 1199')
})

test('CSV quotes values with commas and line breaks, and prevents formulas', async () => {
  await ledger.append(
    thumb('=HYPERLINK("http://evil.example","click")'),
    thumb('+1'),
    thumb('@SUM(A1)'),
    thumb('two\nlines, "quoted"'),
    finishedAttempt('a', { taskId: '-cmd', points: -15, verdict: 'not_verified' }),
  )
  const csv = await exported('csv')
  const [heading, ...lines] = csv.split('\r\n')
  expect(heading).toMatch(/^id,at,day,kind,type,severity,heartbeat,task,/)
  expect(lines.at(-1)).toBe('')
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`)
  expect(csv).toContain(",'+1,")
  expect(csv).toContain(",'@SUM(A1),")
  expect(csv).toContain('"two\nlines, ""quoted"""')
  // A number stays a number; a task name that looks like one is text.
  expect(csv).toContain(",'-cmd,")
  expect(csv).toMatch(/,-15,/)
})

/** Returns the titles of the standings on the timeline, oldest first, after these attempts. */
async function standingsAfter(...attempts: EventBody[]): Promise<string[]> {
  const recording = withSteps(ledger, (self) => [
    recordStandings(self, () => resolveStanding(ledger.state.score, DEFAULT_SCORING, 15), log),
  ])
  for (const attempt of attempts) await recording.append(attempt)
  const entries: { title: string; severity: string }[] = JSON.parse(
    await exported('json', { kinds: ['standing'] }),
  )
  return entries.map(({ title, severity }) => `${title} (${severity})`).reverse()
}

const missed = (id: string) => finishedAttempt(id, { points: -15, verdict: 'not_verified' })
const lied = (id: string) =>
  finishedAttempt(id, { points: -45, verdict: 'not_verified', groundTruthContradiction: true })

test.each<[string, EventBody[], string[]]>([
  ['the first success of a day raises no warning', [finishedAttempt('a', { points: 10 })], []],
  ['an honest failure means behind, not lockdown', [missed('a')], ['Standing: behind (warning)']],
  [
    'losing more points while behind changes nothing',
    [missed('a'), missed('b')],
    ['Standing: behind (warning)'],
  ],
  ['a contradiction means lockdown', [lied('a')], ['Standing: lockdown (critical)']],
  [
    'a contradiction while behind means lockdown',
    [missed('a'), missed('b'), lied('c')],
    ['Standing: behind (warning)', 'Standing: behind to lockdown (critical)'],
  ],
])('%s', async (_title, attempts, expected) => {
  expect(await standingsAfter(...attempts)).toEqual(expected)
})

test('a change of the standing is recorded once, after its cause', async () => {
  const recording = withSteps(ledger, (self) => [
    recordStandings(self, () => resolveStanding(ledger.state.score, DEFAULT_SCORING, 15), log),
  ])
  await recording.append({ type: 'resumed' })
  await Promise.all([
    recording.append(finishedAttempt('a', { points: 30 })),
    recording.append(finishedAttempt('b', { points: 1 })),
  ])
  await recording.append(finishedAttempt('c', { points: -45, verdict: 'not_verified' }))
  const changes = (await ledger.read(1, 100)).flatMap((event) =>
    event.type === 'standing-changed' ? [[event.from, event.to]] : [],
  )
  expect(changes).toEqual([
    [null, 'good'],
    ['good', 'lockdown'],
  ])
  expect(ledger.state.standing).toBe('lockdown')
})
