import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Button } from './button.tsx'
import { isReturnBeyond } from './kept-place.ts'

/** How many items are drawn at first, and added at each request: thousands at once would stall the page. */
const STEP = 200

/**
 * The beginning of a list, and below it the button for more; `more` is `null` where all of it is shown. `sizeOf`: how many things
 * an item stands for, where it is a group of them; `first`: how many are drawn before more are wished for.
 */
export function useLongList<T>(
  items: readonly T[],
  step = STEP,
  sizeOf: (item: T) => number = () => 1,
  first = step,
): {
  readonly shown: readonly T[]
  readonly more: ReactNode
} {
  // Not the sum: how many are first may change with the window.
  const [steps, setSteps] = useState(0)
  const limit = first + steps * step
  const rest = items.length - limit
  useLayoutEffect(() => {
    if (rest > 0 && isReturnBeyond()) setSteps(steps + 1)
  }, [rest, steps])
  const count = (some: readonly T[]) => some.reduce((sum, item) => sum + sizeOf(item), 0)
  const more =
    rest <= 0 ? null : (
      <Button look="quiet" onClick={() => setSteps(steps + 1)}>
        Show {count(items.slice(limit, limit + step))} more, {count(items.slice(0, limit))} of {count(items)}{' '}
        are shown
      </Button>
    )
  return { shown: items.slice(0, limit), more }
}
