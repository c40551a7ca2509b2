/**
 * Returns the attempts that came after all of these, newest first, like `attempts`. Only the newest are kept, so all of them are later than
 * an attempt that is missing.
 */
export function laterAttempts<Attempt extends { readonly attemptId: string }>(
  attempts: readonly Attempt[],
  ids: readonly string[],
): readonly Attempt[] {
  const at = attempts.findIndex(({ attemptId }) => ids.includes(attemptId))
  return at < 0 ? attempts : attempts.slice(0, at)
}
