/** A stop of a session that was answered. */
export interface AnsweredStop {
  /** When it was answered, or when it came in; ms of one clock. */
  readonly atMs: number
  /** The agent was sent back. */
  readonly isSentBack: boolean
  /** Of the transcript when the program called; `null`: it keeps none. */
  readonly transcriptBytes: number | null
}

/** Two installations of one hook call at the same time, or right after each other. */
const SAME_CALL_MS = 30_000
/** An agent that was sent back needs longer than this to stop again. */
const AFTER_REFUSAL_MS = 2_000

/**
 * Returns whether a call that says the same of the same tree as an answered one is that stop once more, called by a second installation
 * of the hook. An agent that was sent back may soon say the same again: that is another stop, which the operator hears of. Its program
 * goes on with the transcript before; where there is none, time alone tells. Pure.
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
