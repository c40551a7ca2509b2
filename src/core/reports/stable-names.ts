/** What a test prints in its name and that another run has differently. */
const CHANGING = new RegExp(
  [
    // The folder or file that it was given below the system's folder for temporary files.
    String.raw`(?<=(?:^|[^\w/.-])(?:/private)?(?:/(?:var/)?tmp|/var/folders/\w+/\w+/T)/)[^/\s'"\`)\]>,;]+`,
    String.raw`(?<=\b[A-Za-z]:[\\/]Users[\\/][^\\/]+[\\/]AppData[\\/]Local[\\/]Temp[\\/])[^\\/\s'"\`)\]>,;]+`,
    // An address in memory, a random UUID, a port that the system chose.
    String.raw`(?<=\b0x)[\da-f]{12,16}\b`,
    String.raw`\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b`,
    String.raw`(?<=(?:\blocalhost|\b127\.0\.0\.1|\[::1\]):)(?:3[3-9]|[45]\d|6[0-5])\d{3}\b`,
  ].join('|'),
  'g',
)

/**
 * Returns a function that gives each name as every run has it: `/tmp/Xk2_9 exists` as `/tmp/… exists`. Names that differ only in what
 * changes are counted on (`/tmp/… exists (2)`), so that none of several is missing unseen.
 */
export function stableNames(): (name: string) => string {
  const counts = new Map<string, number>()
  const known = new Map<string, string>()
  return (name) => {
    const stable = name.replace(CHANGING, '…')
    if (stable === name) return name
    const before = known.get(name)
    if (before !== undefined) return before
    const count = (counts.get(stable) ?? 0) + 1
    counts.set(stable, count)
    const numbered = count === 1 ? stable : `${stable} (${count})`
    known.set(name, numbered)
    return numbered
  }
}
