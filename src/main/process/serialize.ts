/** Runs the given work after all earlier work has settled, even if that failed. Resolves or rejects as the work does. */
export type Serialize = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createSerializer(): Serialize {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
