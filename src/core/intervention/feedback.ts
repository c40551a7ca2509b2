import { SEVERITIES, type Severity } from '../vocabulary/severity.ts'
import { feedbackFor } from './feedback-text.ts'
import type { FeedbackMessage, RaisedIntervention } from './types.ts'

/** UTF-8 bytes of feedback that may enter one prompt. */
export const MAX_FEEDBACK_BYTES = 4096
export const MAX_FEEDBACK_MESSAGES = 50
const DAY_MS = 86_400_000

/** Feedback for one prompt: the body of its section, and what went into it. */
export interface ComposedFeedback {
  /** Markdown without a heading; empty where there is nothing to say. */
  readonly text: string
  readonly messages: readonly FeedbackMessage[]
  readonly aggressive: boolean
}

export interface ComposeOptions {
  /** Epoch ms, wall clock. */
  readonly nowMs: number
  /** Older messages are left out (`feedback_rotation_days`). */
  readonly rotationDays: number
  /** UTF-8 bytes. */
  readonly maxBytes: number
  /** The tasks of the prompt; messages about others are left out, those about no single task stay. */
  readonly taskIds: readonly string[]
  /** Why the breaker is open, in words; `null` if it is closed. */
  readonly breakerReason: string | null
}

/** The queue with what these interventions of one attempt have to say, newest first; a message that is in it already is not added. */
export function addFeedback(
  queue: readonly FeedbackMessage[],
  raised: readonly RaisedIntervention[],
  { at, iteration, taskId }: Pick<FeedbackMessage, 'at' | 'iteration' | 'taskId'>,
): readonly FeedbackMessage[] {
  const types = new Set(raised.map((intervention) => intervention.event_type))
  let next = queue
  for (const intervention of raised) {
    // This event says all that an empty difference says, and more.
    if (intervention.event_type === 'no_files_detected' && types.has('false_completion_detected')) continue
    // The contract is everybody's, whatever task was at work when it changed.
    const about = intervention.event_type === 'contract_weakened' ? null : taskId
    const text = feedbackFor(intervention, iteration, about)
    if (text === null || next.some((message) => message.text === text && message.taskId === about)) continue
    const { severity, event_type: type } = intervention
    next = [{ at, iteration, taskId: about, severity, type, text }, ...next]
  }
  return next === queue ? queue : next.slice(0, MAX_FEEDBACK_MESSAGES)
}

/** The queue with one more message of the supervisor's own, newest first; not a second time. */
export function addMessage(
  queue: readonly FeedbackMessage[],
  message: FeedbackMessage,
): readonly FeedbackMessage[] {
  if (queue.some(({ text, taskId }) => text === message.text && taskId === message.taskId)) return queue
  return [message, ...queue].slice(0, MAX_FEEDBACK_MESSAGES)
}

/**
 * Returns the feedback for one prompt: newest iteration first, within it the most severe first, whole messages as long as they
 * fit. While the breaker is open, the aggressive reinforcement comes before them, even if there are no messages left. Pure.
 */
export function composeFeedback(
  messages: readonly FeedbackMessage[],
  options: ComposeOptions,
): ComposedFeedback {
  const aggressive = options.breakerReason !== null
  const blocks = aggressive ? [reinforcement(options.breakerReason ?? '')] : []
  let bytes = blocks.reduce((sum, block) => sum + utf8Length(block), 0)
  const kept: FeedbackMessage[] = []
  for (const message of current(messages, options)) {
    const size = utf8Length(message.text) + (bytes === 0 ? 0 : SEPARATOR.length)
    if (bytes + size > options.maxBytes) continue
    bytes += size
    blocks.push(message.text)
    kept.push(message)
  }
  return { text: blocks.join(SEPARATOR), messages: kept, aggressive }
}

const SEPARATOR = '\n\n'

/** Messages that are not older than so many days, in the order given. A time that cannot be read counts as old. */
export function recentFeedback(
  messages: readonly FeedbackMessage[],
  nowMs: number,
  rotationDays: number,
): readonly FeedbackMessage[] {
  return messages.filter(({ at }) => nowMs - Date.parse(at) <= rotationDays * DAY_MS)
}

function current(
  messages: readonly FeedbackMessage[],
  { nowMs, rotationDays, taskIds }: ComposeOptions,
): readonly FeedbackMessage[] {
  return recentFeedback(messages, nowMs, rotationDays)
    .filter(({ taskId }) => taskId === null || taskIds.includes(taskId))
    .toSorted((a, b) => b.iteration - a.iteration || weight(a.severity) - weight(b.severity))
}

function weight(severity: Severity): number {
  return SEVERITIES.indexOf(severity)
}

function reinforcement(reason: string): string {
  return `**FINAL WARNING**: this has happened too often (${reason}). If it happens once more, you are suspended and the operator reviews your work by hand.
- Do the work before you report it: change the files first, read them again, then write the report.
- Claim nothing that is not there. A claim without work is worth less than an honest \`failed\`, every time.
- Give for every claim a path with the lines that show it, or a command with its result.`
}

/** Bytes of a text in UTF-8. By hand, because core has neither Node's nor the DOM's types. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
