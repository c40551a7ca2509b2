/** Everything on a screen that `j` and `k` move through: decisions, tasks, blocked tasks, workspaces. */
const ROWS = '[data-row]'
/** The element of a row that gets the focus, if not the row itself: its most likely action, even if a name precedes it. */
const TARGET = '[data-row-target]'
/** The target for rows without such an action. Elements folded inside a summary cannot get the focus. */
const ELSE_TARGET = 'summary, a[href], button:not(:disabled)'

/** Returns the index of the next row in the direction, `null` at the end; the first or last row if none has the focus. */
export function nextRow(count: number, current: number | null, direction: 1 | -1): number | null {
  if (count === 0) return null
  if (current === null) return direction === 1 ? 0 : count - 1
  const next = current + direction
  return next < 0 || next >= count ? null : next
}

/** Moves the focus to the next or previous row of the page. */
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
