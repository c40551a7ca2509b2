import { describe, expect, it } from 'vitest'
import { blockReason, commonCause, type PastAttempt, selectForRetry, suggestUnblock } from './unblock.ts'

type Entry = PastAttempt | { readonly kind: 'unblock' }

function past(change: Partial<PastAttempt> = {}): PastAttempt {
  return {
    kind: 'attempt',
    outcome: 'completed',
    verdict: 'not_verified',
    fault: 'agent',
    timeoutSeconds: 120,
    reason: 'claimed completion, but no file was written',
    gateUnavailable: false,
    criteria: { met: 0, total: 0 },
    ...change,
  }
}
const timedOut = (timeoutSeconds: number) => past({ outcome: 'timeout', timeoutSeconds })
const partly = past({ criteria: { met: 2, total: 5 } })
const withoutGate = past({ verdict: 'unclear', fault: 'environment', gateUnavailable: true })
const stopped = past({ outcome: 'unavailable', verdict: null, fault: 'environment' })
const verified = past({ verdict: 'verified', fault: null })
const skipped = past({ verdict: null, fault: null })
const unblocked = { kind: 'unblock' } as const

describe('suggestUnblock', () => {
  const suggest = (
    entries: readonly Entry[],
    swept: boolean | null | undefined = undefined,
    timeouts = { nextSeconds: 405, maxSeconds: 3600 },
  ) =>
    suggestUnblock(
      {
        entries,
        swept:
          swept === undefined
            ? null
            : { holds: swept, reason: '`mail > 0` passes now', at: '2026-11-25T21:05:30+01:00' },
      },
      timeouts,
    )

  // Newest first, as in the history.
  it.each<[string, readonly Entry[], boolean | null | undefined, string]>([
    [
      'the check passes now, regardless of earlier attempts',
      [timedOut(180), timedOut(120)],
      true,
      'already_done',
    ],
    ['the check fails', [timedOut(180)], false, 'increase_timeout'],
    ['the check cannot be run', [timedOut(180)], null, 'increase_timeout'],
    ['two of three timed out', [timedOut(180), past(), timedOut(120)], undefined, 'increase_timeout'],
    ['half of them timed out', [timedOut(180), past()], undefined, 'manual_review'],
    ['timeouts come before criteria', [timedOut(9), timedOut(9), partly], undefined, 'increase_timeout'],
    ['criteria are partly met', [partly, past(), past()], undefined, 'skip_subtasks'],
    ['criteria were partly met, and no longer are', [past(), partly], undefined, 'manual_review'],
    ['all criteria are met', [past({ criteria: { met: 2, total: 2 } })], undefined, 'manual_review'],
    ['criteria come before gates', [partly, withoutGate], undefined, 'skip_subtasks'],
    ['a gate could not run', [past(), withoutGate, past()], undefined, 'fix_gate'],
    [
      'an environment fault is not an attempt',
      [stopped, stopped, timedOut(9)],
      undefined,
      'increase_timeout',
    ],
    [
      'ignores what came before an unblock',
      [past(), unblocked, timedOut(9), timedOut(9)],
      undefined,
      'manual_review',
    ],
    [
      'ignores what came before a success',
      [past(), verified, timedOut(9), timedOut(9)],
      undefined,
      'manual_review',
    ],
    [
      'ignores what came before a skip',
      [past(), skipped, timedOut(9), timedOut(9)],
      undefined,
      'manual_review',
    ],
    ['there is no history', [], undefined, 'manual_review'],
  ])('%s', (_title, entries, swept, kind) => {
    expect(suggest(entries, swept).kind).toBe(kind)
  })

  it.each<[string, readonly Entry[], { nextSeconds: number; maxSeconds: number }, number, RegExp]>([
    [
      'the next planned timeout if it is longer',
      [timedOut(180), timedOut(120)],
      { nextSeconds: 405, maxSeconds: 3600 },
      405,
      /^2 of 2 attempts timed out, the longest after 3 min; the next planned timeout is 6 min 45 s\.$/,
    ],
    [
      '1.5 times the longest one used',
      [timedOut(181), past(), timedOut(120)],
      { nextSeconds: 120, maxSeconds: 3600 },
      272,
      /2 of 3 attempts timed out, the longest after 3 min 1 s; 1\.5 times that is 4 min 32 s\.$/,
    ],
    [
      'at most the maximum',
      [timedOut(3000)],
      { nextSeconds: 3600, maxSeconds: 3600 },
      3600,
      /1\.5 times that is 1 h 15 min, limited to 1 h\.$/,
    ],
    [
      'more than the maximum if that was not enough',
      [timedOut(3600)],
      { nextSeconds: 3600, maxSeconds: 3600 },
      5400,
      /1\.5 times that is 1 h 30 min\.$/,
    ],
    ['at most a day', [timedOut(80_000)], { nextSeconds: 3600, maxSeconds: 3600 }, 86_400, /limited to 24 h/],
    ['at least one second', [timedOut(0.2)], { nextSeconds: 0.2, maxSeconds: 3600 }, 1, /is 1 s/],
  ])('gives %s', (_title, entries, timeouts, seconds, reason) => {
    const suggestion = suggest(entries, undefined, timeouts)
    expect(suggestion).toMatchObject({ kind: 'increase_timeout', timeoutSeconds: seconds })
    expect(suggestion.reason).toMatch(reason)
  })

  it('explains the suggestion, and gives no number if none helps', () => {
    expect(suggest([partly])).toMatchObject({
      timeoutSeconds: null,
      reason: expect.stringMatching(/^2 of 5 /),
    })
    expect(suggest([past()], true).reason).toMatch(
      /^`mail > 0` passed on 2026-11-25 at 21:05\. Unblock it, and .* if it still passes\.$/,
    )
    expect(suggest([past()]).reason).toMatch(/^Send the agent a message/)
    expect(suggest([past(), past()]).reason).toMatch(/^Trying again would end the same way\. Send the agent/)
    expect(suggest([past(), past({ reason: 'the gate failed' })]).reason).toMatch(
      /The last one: claimed completion, but no file was written$/,
    )
    expect(suggest([]).reason).toBe('No single cause stands out. View the attempts.')
  })
})

describe('commonCause', () => {
  const lied = (value: number) => past({ reason: `Claimed drafts = ${value}, measured 0; no evidence` })

  it('returns what all attempts share, ignoring differences in figures, with the latest', () => {
    expect(commonCause([lied(4), lied(3), lied(3)])).toBe('3 of 3: claimed drafts = 4, measured 0')
    expect(commonCause([lied(4), past({ reason: 'x' }), lied(3)])).toBe(
      '2 of 3: claimed drafts = 4, measured 0',
    )
  })

  it('keeps the case of a name at the start of a text', () => {
    expect(commonCause([past({ reason: 'README.md does not exist' })])).toBe(
      '1 of 1: README.md does not exist',
    )
  })

  it('returns nothing if nothing is shared, and nothing for timeouts', () => {
    expect(commonCause([lied(4), past({ reason: 'x' })])).toBeNull()
    expect(commonCause([timedOut(60), timedOut(60)])).toBeNull()
    expect(commonCause([])).toBeNull()
  })

  it('considers only the attempts since the last unblock', () => {
    expect(commonCause([lied(1), { kind: 'unblock' }, past({ reason: 'x' })])).toBe(
      '1 of 1: claimed drafts = 1, measured 0',
    )
  })
})

describe('blockReason', () => {
  it.each<[string, readonly Entry[], string]>([
    [
      'timeouts in the order of the attempts, then the rest',
      [past(), timedOut(180), timedOut(120)],
      '3 of 3 attempts failed: 2 timeouts (2 min, 3 min), 1 not verified',
    ],
    ['a single timeout', [timedOut(60)], '1 of 3 attempts failed: 1 timeout (1 min)'],
    [
      'crashes and unclear attempts',
      [past(), past({ verdict: 'unclear' }), past({ outcome: 'error' })],
      '3 of 3 attempts used up: 1 ended with an error, 1 not verified, 1 unclear',
    ],
    [
      'only attempts used up since the last unblock',
      [past(), stopped, withoutGate, unblocked, timedOut(9)],
      '1 of 3 attempts failed: 1 not verified',
    ],
    [
      'contradictions separately from other failures',
      [past(), past({ contradiction: true }), past({ contradiction: true })],
      '3 of 3 attempts failed: 2 contradictions, 1 not verified',
    ],
    ['only the count if there is no history', [], '3 of 3 attempts failed'],
  ])('says %s', (_title, entries, words) => {
    const attempts = Number(words[0])
    expect(blockReason(entries, { attempts, maxAttempts: 3 })).toBe(words)
  })
})

describe('selectForRetry', () => {
  const blocked = [
    { taskId: 'a', autoUnblocks: 0 },
    { taskId: 'b', autoUnblocks: 1 },
    { taskId: 'c', autoUnblocks: 2 },
  ]

  it('unblocks each task as often as configured, then refuses with the reason', () => {
    expect(selectForRetry(blocked, 1)).toEqual({
      unblocked: ['a'],
      refused: [
        {
          taskId: 'b',
          reason: expect.stringMatching(
            /^It has been retried once already \(max_auto_unblock_attempts = 1\)/,
          ),
        },
        { taskId: 'c', reason: expect.stringMatching(/^It has been retried 2 times already/) },
      ],
    })
    expect(selectForRetry(blocked, 2).unblocked).toEqual(['a', 'b'])
  })

  it('unblocks none if retrying is disabled', () => {
    expect(selectForRetry(blocked.slice(0, 1), 0)).toEqual({
      unblocked: [],
      refused: [{ taskId: 'a', reason: expect.stringMatching(/^Retrying is disabled/) }],
    })
  })
})
