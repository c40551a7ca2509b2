/** Parts of a test's name that differ from run to run. */
const CHANGING = new RegExp(
  [
    // The folder or file below the system's folder for temporary files.
    String.raw`(?<=(?:^|[^\w/.-])(?:/private)?(?:/(?:var/)?tmp|/var/folders/\w+/\w+/T)/)[^/\s'"\`)\]>,;]+`,
    String.raw`(?<=\b[A-Za-z]:[\\/]Users[\\/][^\\/]+[\\/]AppData[\\/]Local[\\/]Temp[\\/])[^\\/\s'"\`)\]>,;]+`,
    // A memory address, a random UUID, or a port that the system chose.
    String.raw`(?<=\b0x)[\da-f]{12,16}\b`,
    String.raw`\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b`,
    String.raw`(?<=(?:\blocalhost|\b127\.0\.0\.1|\[::1\]):)(?:3[3-9]|[45]\d|6[0-5])\d{3}\b`,
    // The position in its file, which changes with each edit above it: a documentation test of Rust, a spec of minitest, one of RSpec.
    String.raw`(?<=\.rs - [^\n]{0,500}\(line )\d+(?=\))`,
    String.raw`(?<=#test_)\d{4}(?=_)`,
    String.raw`(?<=\bexample at [^\s:]{1,300}:)\d+$`,
  ].join('|'),
  'g',
)

/**
 * Returns, for each name that differs from run to run, a name that stays the same: for `/tmp/Xk2_9 exists` it is `/tmp/… exists`. Names
 * that become equal are numbered (`/tmp/… exists (2)`), so that a missing one is noticed. The numbers follow the natural order of the
 * original names, because a runner prints tests as they end.
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
