import { createHash } from 'node:crypto'

/** Returns a number from 0 up to but not including 1 that depends only on the key. */
export function uniform(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32
}

/** Returns a number from a normal distribution with mean 0 and standard deviation 1 (Box-Muller). */
function normal(key: string): number {
  return Math.sqrt(-2 * Math.log(1 - uniform(`${key}/a`))) * Math.cos(2 * Math.PI * uniform(`${key}/b`))
}

/** Returns a number from a log-normal distribution with this median; `sigma` is the standard deviation of its logarithm. */
export function logNormal(key: string, median: number, sigma: number): number {
  return median * Math.exp(sigma * normal(key))
}
