import { DateTime } from 'luxon'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { resetTimeIn } from './reset-time.ts'

const ZONE = 'Europe/Berlin'
/** Saturday. */
const NOW = DateTime.fromISO('2026-11-21T16:10:00', { zone: ZONE })
const now = { epochMs: NOW.toMillis(), timeZone: ZONE }

function read(text: string): string | null {
  const at = resetTimeIn(text, now)
  return at === null ? null : DateTime.fromMillis(at, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss")
}

const seconds = (iso: string): number => DateTime.fromISO(iso, { zone: ZONE }).toSeconds()

describe('when a limit ends', () => {
  it.each([
    [`Claude AI usage limit reached|${seconds('2026-11-21T19:00')}`, '2026-11-21T19:00:00'],
    [
      `{"status":"rejected","resetsAt":${seconds('2026-11-21T19:30')},"rateLimitType":"five_hour"}`,
      '2026-11-21T19:30:00',
    ],
    [
      `{"error":{"type":"usage_limit_reached","resets_at":${seconds('2026-11-22T01:00')}}}`,
      '2026-11-22T01:00:00',
    ],
    [`{\\"resetsAt\\":${seconds('2026-11-21T19:30')}000}`, '2026-11-21T19:30:00'],
    [`x-ratelimit-reset: ${seconds('2026-11-21T17:00')}`, '2026-11-21T17:00:00'],
    ['"resets_in_seconds": 4300', '2026-11-21T17:21:40'],
    ['HTTP 429 Retry-After: 120', '2026-11-21T16:12:00'],
    ['{"retry_after":90}', '2026-11-21T16:11:30'],
    ['retry-after-ms: 1500', '2026-11-21T16:10:01'],
    ['Retry-After: Sat, 21 Nov 2026 19:30:00 GMT', '2026-11-21T20:30:00'],
    ['{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}', '2026-11-21T16:10:34'],
    ['Please retry in 34.074824224s.', '2026-11-21T16:10:34'],
    ["You've hit your usage limit. Try again in 3h 20m.", '2026-11-21T19:30:00'],
    [
      "You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours 5 minutes.",
      '2026-11-24T20:15:00',
    ],
    ['Your quota will reset after 20h19m28s.', '2026-11-22T12:29:28'],
    ['Rate limit reached. Please wait 45 seconds', '2026-11-21T16:10:45'],
    ['limit resets in about 2 hours', '2026-11-21T18:10:00'],
    ["You've hit your limit · resets 7pm", '2026-11-21T19:00:00'],
    ["You've hit your limit · resets 7pm (America/New_York)", '2026-11-22T01:00:00'],
    ['5-hour limit reached ∙ resets 3:30am', '2026-11-22T03:30:00'],
    ['5-hour limit reached ∙ resets 19:30', '2026-11-21T19:30:00'],
    ['Weekly limit reached ∙ resets Nov 25, 3am (UTC)', '2026-11-25T04:00:00'],
    ['Weekly limit reached ∙ resets Dec 20 at 9am', '2026-12-20T09:00:00'],
    ['Your limit resets on Monday, 9:00 AM', '2026-11-23T09:00:00'],
    ['try again at Nov 22nd, 2026 3:15 PM.', '2026-11-22T15:15:00'],
    ['try again at 3:15 PM.', '2026-11-22T15:15:00'],
    ['Access resets at 8:45 AM PST.', '2026-11-21T17:45:00'],
    ['daily quota exhausted; resets at midnight', '2026-11-22T00:00:00'],
    ['resets at 2026-11-21T18:00:00Z', '2026-11-21T19:00:00'],
    ['resets tomorrow at 7am', '2026-11-22T07:00:00'],
    ['Usage limit reached. Your limit will reset at: Nov 27, 4:00 AM', '2026-11-27T04:00:00'],
    ['Resets at: 18:00', '2026-11-21T18:00:00'],
    ['Resets at: 16:00', '2026-11-22T16:00:00'],
    ['Rate limited. Reset time: 2026-11-22 15:30 UTC', '2026-11-22T16:30:00'],
    ['resets at 2026-11-22 15:30', '2026-11-22T15:30:00'],
    ['resets at 2026-11-22 15:30 (UTC+9)', '2026-11-22T07:30:00'],
    ['available again 11/27/2026, 4:00 AM', '2026-11-27T04:00:00'],
    ['Try again after 27/11/2026 16:00', '2026-11-27T16:00:00'],
    ['resets 27.11.2026 16:00', '2026-11-27T16:00:00'],
    // January 12 or December 1: the one that comes first is used.
    ['resets 1/12/2026 16:00', '2026-12-01T16:00:00'],
    ['Please try again in an hour.', '2026-11-21T17:10:00'],
    ['limit resets in half an hour', '2026-11-21T16:40:00'],
    ['try again in about two hours', '2026-11-21T18:10:00'],
    ['Try again in a minute', '2026-11-21T16:11:00'],
    ['Das Limit wird um 18 Uhr zurückgesetzt.', '2026-11-21T18:00:00'],
    ['resets 18 Uhr', '2026-11-21T18:00:00'],
    ['Wieder verfügbar ab 18.30 Uhr', '2026-11-21T18:30:00'],
    ['resets at 17h00', '2026-11-21T17:00:00'],
    ['resets 17h00', '2026-11-21T17:00:00'],
    ['resets at 17h', '2026-11-21T17:00:00'],
    ['resets in 3h20', '2026-11-21T19:30:00'],
    ['resets in 17h', '2026-11-22T09:10:00'],
    // A time reported slightly late is not tomorrow's.
    ['resets 4:08 PM', '2026-11-21T16:10:00'],
  ])('%s', (text, at) => {
    expect(read(text)).toBe(at)
  })

  it.each([
    '',
    'rate limit exceeded',
    'Claude AI usage limit reached|1735689600',
    'resets 3',
    'the password resets 12 users',
    'the counter resets at 25:99',
    'try again in 400 days',
    'I waited 30 minutes and then wrote notes/a.md',
    'port 8080 is in use, try again',
    'see line 120 after the retry',
    'try again in a few minutes',
    'resets 4/17/2026, 4:00 AM',
    'resets 13/13/2026 4:00',
    'reset at: 30:00',
    'the worktree was reset at 3f2a and 17h of logs were read',
    'um 16 Dateien zu lesen',
  ])('finds none in %j', (text) => {
    expect(read(text)).toBeNull()
  })

  it('uses the reader’s zone if none is named, across a clock change', () => {
    const eve = DateTime.fromISO('2026-10-24T23:00', { zone: ZONE })
    const at = resetTimeIn('resets 3am', { epochMs: eve.toMillis(), timeZone: ZONE })
    // The hour between 2 and 3 occurs twice.
    expect(((at ?? 0) - eve.toMillis()) / 3_600_000).toBe(5)
    expect(resetTimeIn('resets 7pm (Not/AZone)', now)).toBe(resetTimeIn('resets 7pm', now))
  })

  it('is fast whatever an agent prints', () => {
    const text = 'resets in 1 h 1 h retry after '.repeat(100_000)
    expect(processorMs(() => resetTimeIn(text, now))).toBeLessThan(500)
  })
})
