/** Does what it is given one after the other, whatever became of the one before, and answers as the work does. */
export type Serialize = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createSerializer(): Serialize {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
