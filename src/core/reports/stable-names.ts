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
    // Where it stands in its file, which each edit above it changes: a documentation test of Rust, a spec of minitest, one of RSpec.
    String.raw`(?<=\.rs - [^\n]{0,500}\(line )\d+(?=\))`,
    String.raw`(?<=#test_)\d{4}(?=_)`,
    String.raw`(?<=\bexample at [^\s:]{1,300}:)\d+$`,
  ].join('|'),
  'g',
)

/**
 * Returns, for each name that another run has differently, the name that every run has: for `/tmp/Xk2_9 exists` it is `/tmp/… exists`.
 * Names that differ only in what changes are counted on (`/tmp/… exists (2)`), so that none of several is missing unseen, in the order
 * of their numbers: a runner prints them as they end.
 */
export function stableNames(names: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  const known = new Map<string, string>()
  const changing = new Set(names.filter((name) => name.replace(CHANGING, '…') !== name))
  for (const name of [...changing].sort(NATURAL.compare)) {
    const stable = name.replace(CHANGING, '…')
    const count = (counts.get(stable) ?? 0) + 1
    counts.set(stable, count)
    known.set(name, count === 1 ? stable : `${stable} (${count})`)
  }
  return known
}

const NATURAL = new Intl.Collator('en', { numeric: true })
