const MINUS = '\u2212'

/** Returns a number of points for people, with a real minus sign: `82`, `−15`. */
export function formatPoints(points: number): string {
  return points < 0 ? `${MINUS}${-points}` : `${points}`
}

/** Returns points as they are added, with their sign: `+10`, `−15`; `0` has none. */
export function formatSignedPoints(points: number): string {
  return points > 0 ? `+${points}` : formatPoints(points)
}

/** Returns `1 task`, `2 tasks`, `1,200 tasks`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  const digits = formatPoints(count).replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ',')
  return `${digits} ${count === 1 ? singular : plural}`
}
