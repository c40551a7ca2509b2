/*
 * Folders that package managers other than npm's and pip's install into: code that checks load and that git mostly ignores. What a
 * lock file says of a package tells an installer's change from one made by hand.
 */

interface PackagePlace {
  /** The folder's path, and the rest of a path in it. */
  readonly path: RegExp
  /** What has to be beside the folder if its name is used for other things as well. */
  readonly beside?: RegExp
  /** Returns how many names of the rest make a package; 0: the folder is one package. */
  readonly depth: (names: readonly string[]) => number
}

const one = (): number => 1
const PLACES: readonly PackagePlace[] = [
  // Ruby's packages have their version in their name.
  { path: /^(.*(?:^|\/)(?:vendor|\.bundle)\/.*\bgems)\/(.+)$/, depth: one },
  // Go's begin with a host, and each folder is compiled as a whole; PHP's have a vendor before their name.
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
/** Written again whenever packages or the project's own classes change. */
const COMPOSERS_OWN = /(?:^|\/)vendor\/(?:autoload\.php|composer\/[^/]+)$/

/** A file in such a folder. */
export interface PlacedFile {
  /** The folder that was installed into. */
  readonly place: string
  readonly package: string
  /** As a lock file calls it; empty: everything that it lists. */
  readonly name: string
}

/** Returns what a path in such a folder belongs to; `null` if it is in none. */
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

/** Whether a folder is one, by its path and the names beside it. */
export function holdsPackages(folder: string, beside: readonly string[]): boolean {
  const found = PLACES.find(({ path }) => path.exec(`${folder}/x`)?.[1] === folder)
  const marks = found?.beside
  return found !== undefined && (marks === undefined || beside.some((name) => marks.test(name)))
}

/** Lock files of such packages, beside the folder or above it. */
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

/** Returns what a lock file says of a package, as text that is the same as long as that is. Never throws. */
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

/** A module's packages are folders in it. */
function isOfModule(line: string, folder: string): boolean {
  const module = line.split(' ', 1)[0] ?? ''
  return folder === module || folder.startsWith(`${module}/`)
}
