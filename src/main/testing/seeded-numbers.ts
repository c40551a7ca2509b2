/** Returns numbers from 0 to 1 (excluding 1) determined by the seed (mulberry32). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns integers determined by the seed, each less than the given one. */
export function seededIndexes(seed: number): (below: number) => number {
  const number = seededNumbers(seed)
  return (below) => Math.floor(number() * below)
}
