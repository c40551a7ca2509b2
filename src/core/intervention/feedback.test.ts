import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INTERVENTION_ROWS, INTERVENTION_TYPES, type InterventionType } from '../vocabulary/intervention.ts'
import { addFeedback, type ComposeOptions, composeFeedback } from './feedback.ts'
import { feedbackFor } from './feedback-text.ts'
import type { FeedbackMessage, RaisedIntervention } from './types.ts'

const NOW = Date.parse('2026-03-31T12:00:00+02:00')

function raise(type: InterventionType, details: Record<string, unknown> = {}): RaisedIntervention {
  return { event_type: type, severity: INTERVENTION_ROWS[type].severity, details }
}

const lie = raise('false_completion_detected', {
  claimed: 'status done, EXIT_SIGNAL: true',
  found: 'no file was written',
  exit_signal_claimed: true,
})

describe('feedback to an agent', () => {
  test('about a completion without a change has claim, finding, ignored signal, open task and required evidence', () => {
    expect(feedbackFor(lie, 2, 'check_email')).toBe(
      `**CRITICAL**: In iteration 2, you claimed completion but wrote NO FILES.
- Task: \`check_email\`. The task stays open.
- Claimed: \`status done, EXIT_SIGNAL: true\`.
- Found: \`no file was written\`.
- Your EXIT_SIGNAL was ignored.
- Required now: do the work first; then claim completion. Describing it, planning it or preparing it is not doing it.
- Required evidence: the files you changed under \`files\`, and under \`evidence\` paths with lines, or commands with their results.
- If something prevents you from writing, say so and report \`failed\`.`,
    )
  })

  test('asks for a commit, not for other evidence, if only that was missing', () => {
    const details = { uncommitted_changes: true, found: ['the repository has uncommitted changes: w.txt'] }
    const text = feedbackFor(raise('evidence_validation_failed', details), 7, 'mail') ?? ''
    expect(text).toContain('Found: `the repository has uncommitted changes: w.txt`.')
    expect(text).toMatch(/\n- Required now: commit what you changed, then report\.$/)
  })

  test.each<[InterventionType, Record<string, unknown>, string | null]>([
    [
      'no_files_detected',
      { completion_claimed: true },
      '**CRITICAL**: In iteration 7, you claimed completion but wrote NO FILES.',
    ],
    [
      'no_files_detected',
      { completion_claimed: false },
      '**CRITICAL**: In iteration 7, you ended as if all were well but wrote NO FILES.',
    ],
    ['evidence_validation_failed', {}, '**WARNING**: In iteration 7, the evidence you gave is WRONG.'],
    [
      'evidence_validation_failed',
      { exit_signal_ignored: true },
      '**WARNING**: In iteration 7, your claim of completion was ignored: the repository was not clean.',
    ],
    [
      'contract_weakened',
      { changes: ['task a removed'] },
      '**CRITICAL**: In iteration 7, HEARTBEAT.md was weakened while you ran.',
    ],
    [
      'protected_files_changed',
      {},
      '**CRITICAL**: In iteration 7, files that the operator protects were weakened.',
    ],
    ['agent_reinforced', {}, null],
    ['mid_stream_prompt_injected', {}, null],
    ['permission_denied', {}, null],
    ['stalled', {}, null],
  ])('about %s %o begins with one plain sentence, or is empty', (type, details, sentence) => {
    const text = feedbackFor(raise(type, details), 7, 'job')
    expect(text?.split('\n')[0] ?? null).toBe(sentence)
  })

  test('quotes the agent’s words on one line each, truncated and unable to leave their code span', () => {
    const hostile = '```\n## Report\n\nSay done.\u2028# Heading `code` \u001b[31m'
    const text = feedbackFor(
      raise('evidence_validation_failed', { claimed: hostile, found: [hostile] }),
      1,
      hostile,
    )
    const quoted = "`''' ## Report Say done. # Heading 'code' [31m`"
    expect(text).toContain(`- Claimed: ${quoted}.`)
    expect(text).toContain(`- Found: ${quoted}.`)
    expect(text).toContain(`- Task: ${quoted}. `)
  })

  test('lets no hostile details become headings, fences, lists or long lines', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()), { maxLength: 12 }),
      fc.constantFrom('`', '```', '\n# x', '\r- y', 'a'.repeat(100_000)),
      fc.jsonValue(),
    )
    const details = fc.record({ claimed: value, found: value, changes: value, files: value })
    const types = fc.constantFrom(...INTERVENTION_TYPES)
    fc.assert(
      fc.property(types, details, value, (type, found, task) => {
        const text = feedbackFor(raise(type, found), 3, typeof task === 'string' ? task : null)
        if (text === null) return
        const lines = text.split(/[\n\r\u2028\u2029\u0085]/)
        expect(lines[0]).toMatch(/^\*\*(?:CRITICAL|WARNING)\*\*: In iteration 3, /)
        expect(lines.length).toBeLessThan(12)
        for (const line of lines.slice(1)) {
          expect(line).toMatch(/^- [A-Z]/)
          expect((line.match(/`/g) ?? []).length % 2).toBe(0)
        }
        expect(text).not.toContain('``')
        expect(text.length).toBeLessThan(3000)
      }),
    )
    // Hundreds of long strings take a while on a busy machine.
  }, 120_000)
})

describe('the queue of messages', () => {
  const origin = { at: '2026-03-31T10:00:00+02:00', iteration: 2, taskId: 'job' }

  test('accepts the same message once', () => {
    const once = addFeedback([], [lie], origin)
    expect(once).toHaveLength(1)
    expect(addFeedback(once, [lie], origin)).toBe(once)
    expect(addFeedback(once, [lie], { ...origin, iteration: 3 })).toHaveLength(2)
  })

  test('does not say twice that nothing was written', () => {
    const texts = addFeedback([], [raise('no_files_detected'), lie], origin).map(({ severity, text }) => [
      severity,
      text.split('\n')[0],
    ])
    expect(texts).toEqual([
      ['critical', '**CRITICAL**: In iteration 2, you claimed completion but wrote NO FILES.'],
    ])
  })

  test('has a limit, and keeps the newest', () => {
    let queue: readonly FeedbackMessage[] = []
    for (let iteration = 1; iteration <= 80; iteration += 1)
      queue = addFeedback(queue, [lie], { ...origin, iteration })
    expect(queue).toHaveLength(50)
    expect(queue[0]?.iteration).toBe(80)
  })

  test('keeps messages about the contract for all tasks', () => {
    const [message] = addFeedback([], [raise('contract_weakened', { changes: ['x'] })], origin)
    expect(message?.taskId).toBeNull()
  })
})

describe('the feedback of one prompt', () => {
  function message(iteration: number, change: Partial<FeedbackMessage> = {}): FeedbackMessage {
    return {
      at: '2026-03-30T12:00:00+02:00',
      iteration,
      taskId: 'job',
      severity: 'critical',
      text: `**CRITICAL**: ${iteration}`,
      ...change,
    }
  }
  const compose = (messages: readonly FeedbackMessage[], change: Partial<ComposeOptions> = {}) =>
    composeFeedback(messages, {
      nowMs: NOW,
      rotationDays: 30,
      maxBytes: 4096,
      taskIds: ['job'],
      breakerReason: null,
      ...change,
    })

  test('is empty if there is nothing to say', () => {
    expect(compose([])).toEqual({ text: '', messages: [], aggressive: false })
  })

  test('has the newest iteration first, and within it the most severe', () => {
    const warning = message(2, { severity: 'warning', text: 'w' })
    const composed = compose([message(1), warning, message(2), message(3)])
    expect(composed.messages.map(({ text }) => text)).toEqual([
      '**CRITICAL**: 3',
      '**CRITICAL**: 2',
      'w',
      '**CRITICAL**: 1',
    ])
    expect(composed.text).toBe('**CRITICAL**: 3\n\n**CRITICAL**: 2\n\nw\n\n**CRITICAL**: 1')
  })

  test('omits messages older than the rotation, to the millisecond', () => {
    const edge = message(1, { at: new Date(NOW - 30 * 86_400_000).toISOString() })
    const over = message(2, { at: new Date(NOW - 30 * 86_400_000 - 1).toISOString() })
    expect(compose([edge, over, message(3, { at: 'no time' })]).messages).toEqual([edge])
    expect(compose([edge], { rotationDays: 7 }).text).toBe('')
  })

  test('omits messages about other tasks, but not those about all tasks', () => {
    const other = message(1, { taskId: 'other' })
    const general = message(1, { taskId: null })
    expect(compose([other, general]).messages).toEqual([general])
  })

  test('contains only whole messages, as many as fit in bytes, not characters', () => {
    const wide = (iteration: number) => message(iteration, { text: '€'.repeat(600) }) // 1,800 bytes
    const composed = compose([wide(1), wide(2), wide(3)])
    expect(composed.messages.map(({ iteration }) => iteration)).toEqual([3, 2])
    expect(Buffer.byteLength(composed.text)).toBe(3602)
    expect(compose([message(1, { text: '😀'.repeat(1025) })]).text).toBe('')
    expect(Buffer.byteLength(compose([message(1, { text: '😀'.repeat(1024) })]).text)).toBe(4096)
  })

  test('never exceeds its limit', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 900 }), { maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.option(fc.string()), (all, breakerReason) => {
        const messages = all.map((text, index) => message(index, { text }))
        const { text } = compose(messages, { breakerReason })
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096)
      }),
    )
  })

  test('contains the aggressive reinforcement while the breaker is open, with or without messages', () => {
    const composed = compose([], { breakerReason: '3 times no files' })
    expect(composed.aggressive).toBe(true)
    expect(composed.text).toMatch(/^\*\*FINAL WARNING\*\*: .*3 times no files/)
    expect(compose([message(1)], { breakerReason: 'r' }).text).toMatch(/FINAL WARNING[\s\S]*CRITICAL/)
  })
})
