/*
 * Folders into which package managers other than npm and pip install: code that checks load and that git usually ignores. A package's lock
 * entry tells an installer's change from one made by hand.
 */

interface PackagePlace {
  /** Matches the folder's path, and the rest of a path inside it. */
  readonly path: RegExp
  /** Matches a name that must be beside the folder, if its name is used for other things too. */
  readonly beside?: RegExp
  /** Returns how many names of the rest make up a package; 0 if the whole folder is one package. */
  readonly depth: (names: readonly string[]) => number
}

const one = (): number => 1
const PLACES: readonly PackagePlace[] = [
  // Ruby's packages have their version in their folder's name.
  { path: /^(.*(?:^|\/)(?:vendor|\.bundle)\/.*\bgems)\/(.+)$/, depth: one },
  // Go's packages begin with a host, and each folder is compiled as a whole; PHP's have a vendor before their name.
  {
    path: /^((?:.*\/)?(?:vendor|third_party))\/(.+)$/,
    depth: (names) => (names[0]?.includes('.') === true ? names.length - 1 : 2),
  },
  {
    path: /^((?:.*\/)?(?:\.bundle|\.yarn\/(?:cache|unplugged)|bower_components|jspm_packages|lua_modules|\.eggs|__pypackages__))\/(.+)$/,
    depth: one,
  },
  { path: /^((?:.*\/)?lib\/perl5)\/(.+)$/, depth: () => 0 },
  { path: /^((?:.*\/)?deps)\/(.+)$/, beside: /^(?:mix\.exs|rebar\.config)$/, depth: one },
]
/** Files that Composer rewrites whenever packages or the project's own classes change. */
const COMPOSERS_OWN = /(?:^|\/)vendor\/(?:autoload\.php|composer\/[^/]+)$/

/** A file in such a folder. */
export interface PlacedFile {
  /** The folder that packages are installed into. */
  readonly place: string
  readonly package: string
  /** A lock file's name for it; empty for everything that it lists. */
  readonly name: string
}

/** Returns the package that a path in such a folder belongs to; `null` if the path is in none. */
export function placedFile(path: string): PlacedFile | null {
  for (const { path: pattern, depth } of PLACES) {
    const [, place, rest] = pattern.exec(path) ?? []
    if (place === undefined || rest === undefined) continue
    const names = rest.split('/')
    const length = Math.min(depth(names), names.length)
    const name = names.slice(0, length).join('/')
    if (COMPOSERS_OWN.test(path)) return { place, package: path, name: '' }
    return { place, package: name === '' ? place : `${place}/${name}`, name }
  }
  return null
}

/** Returns whether a package manager installs into a folder, by its path and the names beside it. */
export function holdsPackages(folder: string, beside: readonly string[]): boolean {
  const found = PLACES.find(({ path }) => path.exec(`${folder}/x`)?.[1] === folder)
  const marks = found?.beside
  return found !== undefined && (marks === undefined || beside.some((name) => marks.test(name)))
}

/** Lock files of such packages, which are beside the folder or above it. */
export const PLACED_LOCKS = [
  'composer.lock',
  'composer.json',
  'go.sum',
  'Cargo.lock',
  'mix.lock',
  'rebar.lock',
  'cpanfile.snapshot',
  'bower.json',
] as const

/** Returns a lock file's entry for a package, as text that changes only when the entry does. Never throws. */
export function placedEntry(lock: string, text: string, name: string): string {
  if (lock === 'composer.lock') return composerEntry(text, name)
  if (lock === 'composer.json') return name === '' ? normalized(text) : ''
  if (lock === 'cpanfile.snapshot') return name === '' ? lines(text).join('\n') : ''
  if (name === '') return ''
  if (lock === 'go.sum')
    return lines(text)
      .filter((line) => isOfModule(line, name))
      .join('\n')
  const parts = lock === 'Cargo.lock' ? text.split(/\r?\n(?:[ \t]*\r?\n)+/) : lines(text)
  return parts.filter((part) => part.includes(`"${name.replace(/-\d[\w.+-]*$/, '')}"`)).join('\n')
}

function composerEntry(text: string, name: string): string {
  try {
    const { packages = [], 'packages-dev': dev = [] } = JSON.parse(text) as Record<string, Locked[]>
    return JSON.stringify([...packages, ...dev].filter((each) => name === '' || each.name === name))
  } catch {
    return ''
  }
}

interface Locked {
  readonly name?: unknown
}

function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return ''
  }
}

function lines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

/** Returns whether a package's folder belongs to the Go module that this line names. */
function isOfModule(line: string, folder: string): boolean {
  const module = line.split(' ', 1)[0] ?? ''
  return folder === module || folder.startsWith(`${module}/`)
}
