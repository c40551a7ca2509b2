/** A session's stop that was answered. */
export interface AnsweredStop {
  /** When it was answered, or came in; ms of the same clock. */
  readonly atMs: number
  /** True if the agent was sent back. */
  readonly isSentBack: boolean
  /** Size of the transcript when the program called; `null`: it keeps none. */
  readonly transcriptBytes: number | null
}

/** Two installations of one hook call at the same time, or shortly after each other. */
const SAME_CALL_MS = 30_000
/** An agent that was sent back takes longer than this to stop again. */
const AFTER_REFUSAL_MS = 2_000

/**
 * Returns whether a call with the same content and tree as an answered one is the same stop, reported by a second installation of the hook.
 * An agent that was sent back may soon say the same again, but that is another stop, which is reported to the operator. In that case the
 * transcript has grown; without a transcript, only the time tells. Pure.
 */
export function isSameStop(
  answered: AnsweredStop,
  call: Pick<AnsweredStop, 'atMs' | 'transcriptBytes'>,
): boolean {
  const sinceMs = call.atMs - answered.atMs
  if (!answered.isSentBack) return sinceMs <= SAME_CALL_MS
  const hasGoneOn =
    answered.transcriptBytes !== null &&
    call.transcriptBytes !== null &&
    call.transcriptBytes > answered.transcriptBytes
  return sinceMs <= AFTER_REFUSAL_MS && !hasGoneOn
}
