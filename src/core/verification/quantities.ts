import { spokenNumbers } from '../claims/prose-number.ts'

/* Times and sizes in any units: `1h30m` and `90 min`, `1.5 GB` and `1500 MB`. */

/** How two texts about the same thing compare: `less` if one is less specific, or may just be rounded. */
export type Nearness = 'same' | 'less' | 'other'

interface Quantity {
  readonly kind: 'time' | 'size'
  /** In seconds or bytes: the usual meaning first, because a kB is 1000 or 1024. */
  readonly readings: readonly number[]
  /** The value of the last written digit. */
  readonly step: number
}

const TIMES: readonly (readonly [RegExp, number])[] = [
  [/^(?:ns|nanosec(?:ond)?s?)$/i, 1e-9],
  [/^(?:[µμu]s|microsec(?:ond)?s?)$/i, 1e-6],
  [/^(?:ms|msecs?|millisec(?:ond)?s?)$/i, 1e-3],
  [/^(?:s|secs?|seconds?|sekunden?)$/i, 1],
  [/^(?:m|mins?|minutes?|minuten?)$/i, 60],
  [/^(?:h|hrs?|hours?|stunden?)$/i, 3600],
  [/^(?:d|days?|tage?)$/i, 86_400],
]
/** Excludes `Mb`, which some people use for megabits. */
const SIZE = /^(?:(?<scale>[kmgtKMGT])(?<binary>i?)(?:B|(?<=[a-z]i?)b)|B|b|[Bb]ytes?)$/
const SCALES = 'kmgt'
const PART = /(\d[\d.,]*)\s*([a-zµμ]+)(?:$|,\s*|\s+(?:and\s+|und\s+)?|(?=\d))/giy
const MAX_PARTS = 5

/** Compares two texts as times, or as sizes; `other` if they aren't of the same kind. Never throws. */
export function compareQuantities(left: string, right: string): Nearness {
  const [one, other] = [quantityOf(left), quantityOf(right)]
  if (one === null || other === null || one.kind !== other.kind) return 'other'
  const pairs = one.readings.flatMap((a) => other.readings.map((b) => [a, b] as const))
  const isSame = ([a, b]: readonly [number, number]): boolean =>
    Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
  const [usual] = pairs
  if (usual !== undefined && isSame(usual)) return 'same'
  const rounding = Math.max(one.step, other.step) * 0.500001
  return pairs.some((pair) => isSame(pair) || Math.abs(pair[0] - pair[1]) <= rounding) ? 'less' : 'other'
}

function quantityOf(text: string): Quantity | null {
  const parts = partsOf(text)
  if (parts.length === 0) return null
  const times = parts.map(({ unit }) => TIMES.find(([spelled]) => spelled.test(unit))?.[1])
  if (times.every((seconds) => seconds !== undefined)) return sumOf('time', parts, [times])
  const sizes = [1000, 1024].map((base) => parts.map(({ unit }) => bytesOf(unit, base)))
  return sizes.every((factors) => factors.every((bytes) => bytes !== null))
    ? sumOf('size', parts, sizes)
    : null
}

interface Part {
  readonly number: number
  readonly places: number
  readonly unit: string
}

/** Returns the numbers with units that make up a text; none if it contains anything else. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(PART)) {
    const [whole, written = '', unit = ''] = match
    const [number, ...others] = spokenNumbers(written)
    if (number === undefined || others.length > 0 || parts.length === MAX_PARTS) return []
    parts.push({ number, places: /[.,](\d+)$/.exec(written)?.[1]?.length ?? 0, unit })
    end = match.index + whole.length
  }
  return end === text.length ? parts : []
}

function sumOf(
  kind: Quantity['kind'],
  parts: readonly Part[],
  meanings: readonly (readonly (number | null | undefined)[])[],
): Quantity {
  const readings = meanings.map((factors) =>
    parts.reduce((sum, { number }, at) => sum + number * (factors[at] ?? 0), 0),
  )
  const steps = parts.map(({ places }, at) => (meanings[0]?.[at] ?? 0) / 10 ** places)
  return { kind, readings: [...new Set(readings)], step: Math.min(...steps) }
}

function bytesOf(unit: string, base: number): number | null {
  const found = SIZE.exec(unit)
  if (found === null) return null
  const { scale, binary } = found.groups ?? {}
  if (scale === undefined) return 1
  return (binary === 'i' ? 1024 : base) ** (SCALES.indexOf(scale.toLowerCase()) + 1)
}
