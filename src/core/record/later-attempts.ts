/**
 * Returns the attempts that came after all of these, newest first, as `attempts` is. Only the newest are kept: they are all later than one
 * that is not among them.
 */
export function laterAttempts<Attempt extends { readonly attemptId: string }>(
  attempts: readonly Attempt[],
  ids: readonly string[],
): readonly Attempt[] {
  const at = attempts.findIndex(({ attemptId }) => ids.includes(attemptId))
  return at < 0 ? attempts : attempts.slice(0, at)
}
