import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Button } from './button.tsx'
import { isReturnBeyond } from './kept-place.ts'

/** How many items are drawn at first, and added at each request: thousands at once would stall the page. */
const STEP = 200

/**
 * Returns the beginning of a list, and the button for more to put below it; `more` is `null` if all of it is shown. `sizeOf`: the number
 * of things in an item that is a group; `first`: how many items are drawn before more are requested.
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
  // Counts steps and not items, because `first` may change with the size of the window.
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
