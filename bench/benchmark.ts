import type { Figure } from './figure.ts'

/** One of the benchmarks that `npm run bench` lists. */
export interface Benchmark {
  /** The question it answers, in one sentence. */
  readonly question: string
  /** Its options, in words; empty if there are none. */
  readonly options: string
  /** Prints its answer to stdout. */
  run(args: readonly string[]): Promise<void>
  /** Returns the same as figures for `all`, each with a reference from the same run. Rejects if it can't run here. */
  measure?(): Promise<readonly Figure[]>
}

/** Returns the median, the upper one of two; NaN if there are no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns a Markdown table; the first column is left-aligned, all others right-aligned. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = headings.map((_, index) => (index === 0 ? '---' : '---:'))
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
