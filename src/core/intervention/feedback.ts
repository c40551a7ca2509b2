import { SEVERITIES, type Severity } from '../vocabulary/severity.ts'
import { feedbackFor } from './feedback-text.ts'
import type { FeedbackMessage, RaisedIntervention } from './types.ts'

/** The most UTF-8 bytes of feedback in one prompt. */
export const MAX_FEEDBACK_BYTES = 4096
export const MAX_FEEDBACK_MESSAGES = 50
const DAY_MS = 86_400_000

/** Feedback for one prompt: the body of its section, and what went into it. */
export interface ComposedFeedback {
  /** Markdown without a heading; empty if there is nothing to say. */
  readonly text: string
  readonly messages: readonly FeedbackMessage[]
  readonly aggressive: boolean
}

export interface ComposeOptions {
  /** Epoch ms, wall clock. */
  readonly nowMs: number
  /** Older messages are omitted (`feedback_rotation_days`). */
  readonly rotationDays: number
  /** UTF-8 bytes. */
  readonly maxBytes: number
  /** The tasks of the prompt; messages about other tasks are omitted, those about all tasks are kept. */
  readonly taskIds: readonly string[]
  /** Why the breaker is open, in words; `null` if it is closed. */
  readonly breakerReason: string | null
}

/** Returns the queue with the messages of one attempt's interventions added, newest first; a message that is already in it is not added. */
export function addFeedback(
  queue: readonly FeedbackMessage[],
  raised: readonly RaisedIntervention[],
  { at, iteration, taskId }: Pick<FeedbackMessage, 'at' | 'iteration' | 'taskId'>,
): readonly FeedbackMessage[] {
  const types = new Set(raised.map((intervention) => intervention.event_type))
  let next = queue
  for (const intervention of raised) {
    // This event says everything that an empty difference says, and more.
    if (intervention.event_type === 'no_files_detected' && types.has('false_completion_detected')) continue
    // The contract concerns all tasks, whichever one was running when it changed.
    const about = intervention.event_type === 'contract_weakened' ? null : taskId
    const text = feedbackFor(intervention, iteration, about)
    if (text === null || next.some((message) => message.text === text && message.taskId === about)) continue
    const { severity, event_type: type } = intervention
    next = [{ at, iteration, taskId: about, severity, type, text }, ...next]
  }
  return next === queue ? queue : next.slice(0, MAX_FEEDBACK_MESSAGES)
}

/** Returns the queue with another message of the supervisor's own, newest first; a message that is already in it is not added. */
export function addMessage(
  queue: readonly FeedbackMessage[],
  message: FeedbackMessage,
): readonly FeedbackMessage[] {
  if (queue.some(({ text, taskId }) => text === message.text && taskId === message.taskId)) return queue
  return [message, ...queue].slice(0, MAX_FEEDBACK_MESSAGES)
}

/**
 * Returns the feedback for one prompt: newest iteration first, within it the most severe first, whole messages as long as they fit. While
 * the breaker is open, the aggressive reinforcement comes first, even if there are no messages. Pure.
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

/** Returns the messages that are at most this many days old, in the given order. A time that can't be read counts as old. */
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

/** Returns the length of a text in UTF-8 bytes. Computed by hand, because core has neither Node's nor the DOM's types. */
function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
