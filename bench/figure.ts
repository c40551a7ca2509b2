/** One thing that was measured, beside what it is to be compared with, taken in the same run. */
export interface Figure {
  /** What it is about: `overhead`, `launch` … */
  readonly bench: string
  /** In words. */
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'KiB' | 'files' | '%'
  /** What `value` is divided by; `null` where it stands for itself. */
  readonly reference: { readonly name: string; readonly value: number } | null
  /** The most that `value` by `reference` may be, or `value` itself where there is none; `null` where nothing is promised. */
  readonly goal: number | null
}

/** `value` by its reference; `null` where it has none. */
export function ratioOf({ value, reference }: Figure): number | null {
  return reference === null ? null : value / reference.value
}

/** Whether it keeps what is promised; `null` where nothing is, or nothing was measured. */
export function holds(figure: Figure): boolean | null {
  const measured = ratioOf(figure) ?? figure.value
  return figure.goal === null || Number.isNaN(measured) ? null : measured <= figure.goal
}
