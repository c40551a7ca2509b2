/** Names of lock files, in order of precedence. */
export const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
] as const

/**
 * Returns a function that gives a lock file's entry for a package, as text that changes only when the entry does. `way` is the package's
 * folder relative to the lock file. Empty if it has no entry. Never throws.
 */
export function lockReader(fileName: string, text: string): (way: string, name: string) => string {
  if (fileName === 'package-lock.json' || fileName === 'npm-shrinkwrap.json') return npmReader(text)
  const blocks = text.split(/\r?\n(?:[ \t]*\r?\n)+/)
  return (_way, name) =>
    blocks
      .flatMap((block) =>
        fileName === 'bun.lock'
          ? block.split('\n').filter((line) => mentions(line, name))
          : mentions(block.split('\n')[0] ?? '', name)
            ? [block]
            : [],
      )
      .join('\n')
}

/** Returns whether a line names the package: `name@1.2.3`, `"name": …`, `/name/1.2.3:`; not if a longer name ends in it. */
function mentions(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = line[at - 1] ?? ' '
    const after = line[at + name.length] ?? ' '
    if (
      !/[\w@.-]/.test(before) &&
      /[@":'/]/.test(after) &&
      !(before === '/' && line[at - 2] !== undefined && /\w/.test(line[at - 2] ?? ''))
    )
      return true
  }
  return false
}

function npmReader(text: string): (way: string, name: string) => string {
  try {
    const { packages, dependencies } = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>
    return (way, name) => {
      const entry = packages === undefined ? dependencies?.[name] : packages[way]
      return entry === undefined ? '' : JSON.stringify(entry)
    }
  } catch {
    return () => ''
  }
}
