/** One measurement, and what it is compared with, taken in the same run. */
export interface Figure {
  /** Its benchmark: `overhead`, `launch` … */
  readonly bench: string
  /** In words. */
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 'KiB' | 'files' | '%'
  /** What `value` is divided by; `null` if it is not compared. */
  readonly reference: { readonly name: string; readonly value: number } | null
  /** The maximum of `value` divided by `reference`, or of `value` itself without one; `null` if nothing is promised. */
  readonly goal: number | null
}

/** Returns `value` divided by its reference; `null` without one. */
export function ratioOf({ value, reference }: Figure): number | null {
  return reference === null ? null : value / reference.value
}

/** Returns whether the figure meets its goal; `null` if there is no goal, or nothing was measured. */
export function holds(figure: Figure): boolean | null {
  const measured = ratioOf(figure) ?? figure.value
  return figure.goal === null || Number.isNaN(measured) ? null : measured <= figure.goal
}
