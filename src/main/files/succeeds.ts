/** Returns whether a promise resolves, for work whose reason to fail does not matter. Never rejects. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
