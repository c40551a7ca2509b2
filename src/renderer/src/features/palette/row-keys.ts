/** Everything on a screen that is gone along by `j` and `k`: decisions, tasks, blocked tasks, workspaces. */
const ROWS = '[data-row]'
/** What of a row takes the focus, if not the row itself: its likeliest action, though a name may come before it. */
const TARGET = '[data-row-target]'
/** Without such an action. What is folded below a summary could not take the focus. */
const ELSE_TARGET = 'summary, a[href], button:not(:disabled)'

/** Returns the place of the next row (from 0) in the direction, `null` at the end; without one that has the focus, the first or last. */
export function nextRow(count: number, current: number | null, direction: 1 | -1): number | null {
  if (count === 0) return null
  if (current === null) return direction === 1 ? 0 : count - 1
  const next = current + direction
  return next < 0 || next >= count ? null : next
}

/** Moves the focus to the next row of the page, or the one before it. */
export function goAlongRows(direction: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(`#content ${ROWS}`)]
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  const next = nextRow(rows.length, current < 0 ? null : current, direction)
  const row = next === null ? undefined : rows[next]
  const target = row?.matches('a[href], button') === true ? row : row && targetIn(row)
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
}

function targetIn(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>(TARGET) ?? row.querySelector<HTMLElement>(ELSE_TARGET)
}
