/** Ends a script at once, or does nothing. */
const NO_WORK = /^(?:exit(?:\s+0)?|return(?:\s+0)?|true|:)\s*(?:;.*)?$/
/** So many lines must be left of a script, that it was worked on and not emptied. */
const MIN_SHARE_LEFT = 0.5

/** Whether little is left of a script, or it ends where it begins. `null`: there is no such file. Pure; never throws. */
export function wasEmptied(before: string | null, after: string | null): boolean {
  if (before === null) return false
  if (after === null) return true
  const [old, now] = [statements(before), statements(after)]
  const endsAtOnce = (lines: readonly string[]): boolean =>
    lines.slice(0, 2).some((line) => NO_WORK.test(line))
  return now.length < old.length * MIN_SHARE_LEFT || (endsAtOnce(now) && !endsAtOnce(old))
}

function statements(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^set [-+]/.test(line))
}
