import type { Figure } from './figure.ts'

/** One of the benchmarks that `npm run bench` lists. */
export interface Benchmark {
  /** What it answers, in one sentence. */
  readonly question: string
  /** Options it takes, in words; empty where there are none. */
  readonly options: string
  /** Prints its answer to stdout. */
  run(args: readonly string[]): Promise<void>
  /** The same for `all`: its figures, each with its reference of the same run. Rejects where it cannot be run here. */
  measure?(): Promise<readonly Figure[]>
}

/** The middle value, the upper one of two; NaN where there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** A Markdown table; the first column is set left, all others right. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = headings.map((_, index) => (index === 0 ? '---' : '---:'))
  return [headings, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
