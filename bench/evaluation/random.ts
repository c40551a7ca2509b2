import { createHash } from 'node:crypto'

/** A number from 0 up to but not 1 that depends on the key alone. */
export function uniform(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32
}

/** From a normal distribution around 0 with standard deviation 1 (Box and Muller). */
function normal(key: string): number {
  return Math.sqrt(-2 * Math.log(1 - uniform(`${key}/a`))) * Math.cos(2 * Math.PI * uniform(`${key}/b`))
}

/** From a log-normal distribution with this median; `sigma` is the standard deviation of its logarithm. */
export function logNormal(key: string, median: number, sigma: number): number {
  return median * Math.exp(sigma * normal(key))
}
