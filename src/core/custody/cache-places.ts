import { join } from './open-words.ts'

/*
 * Places where a command or a configuration tells tools to keep their caches: `--cache-location`, `tsBuildInfoFile`,
 * `cache_dir`. Tools believe what they find there, whatever its name is.
 */

const OF_COMMAND =
  /(?:^|[\s"'])(?:--(?:cache-(?:location|dir(?:ectory)?|file|folder|path)|cache(?:Location|Dir(?:ectory)?|File)|tsBuildInfoFile)[= ]|-o[ ]?cache_dir=|--override-ini[= ]cache_dir=|\w{0,40}(?:CACHE_(?:DIR|LOCATION|PATH)|PYCACHEPREFIX)=)["']?([^\s"';|&]{1,300})/g

/** The value is the next literal of the line, or the word after the key. */
const IN_CONFIGURATION =
  /(?<![\w$.-])["']?(?:tsBuildInfoFile|cache(?:[-_]?(?:dir(?:ectory)?|location|file|folder|path)|Dir(?:ectory)?|Location|File|Folder)|fsModuleCachePath|CacheRootDirectory|tmpDir|setCacheFile)["']?[ \t]{0,9}[:=(](?:[^\n"'`]{0,80}["'`]([^\n"'`]{1,300})["'`]|[ \t]{0,9}([^\s"',;#)}\]]{1,300}))/g
/** `cache: { dir: '…' }`. */
const IN_OBJECT =
  /(?<![\w$.-])["']?cache["']?\s{0,9}:\s{0,9}\{[^{}]{0,300}?\b(?:dir|folder|location)["']?\s{0,9}:\s{0,9}["'`]([^\n"'`]{1,300})["'`]/g

const scripts = (name: string): readonly string[] =>
  ['js', 'mjs', 'cjs', 'ts', 'mts', 'json'].map((ending) => `${name}.${ending}`)

/** Configuration files that may name such a place. */
const CONFIGURATIONS: readonly string[] = [
  ...['jest', 'vite', 'vitest', 'webpack', 'babel', 'stylelint', 'rspack'].flatMap((name) =>
    scripts(`${name}.config`),
  ),
  ...['package.json', 'tsconfig.json', 'nx.json', 'turbo.json', 'cspell.json', '.cspell.json', '.nycrc'],
  ...['.nycrc.json', '.stylelintrc', '.stylelintrc.json', '.babelrc', '.dependency-cruiser.cjs'],
  ...['.dependency-cruiser.js', 'pytest.ini', '.pytest.ini', 'pytest.toml', 'tox.ini', 'setup.cfg'],
  ...['pyproject.toml', 'mypy.ini', '.mypy.ini', 'ruff.toml', '.ruff.toml', '.rubocop.yml', 'psalm.xml'],
  ...['psalm.xml.dist', 'phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml', 'phpstan.neon'],
  ...['phpstan.neon.dist', 'phpstan.dist.neon', '.php-cs-fixer.php', '.php-cs-fixer.dist.php'],
]
/** Other projects that a `tsconfig.json` names, or a command by `-p`. */
const PROJECTS = /["'](?:path|extends)["']\s{0,9}:\s{0,9}["'](\.{0,2}\/?[\w@./-]{1,200})["']/g
const NAMED_PROJECTS = /(?:^|\s)(?:-p|--project|-b|--build)[= ]([\w@./-]{1,200})/g
const OF_TYPESCRIPT = /(?:^|\/)[tj]sconfig[^/]*\.json$/
const MAX_PROJECTS = 50

/** Returns the places that the words of a command name, as written. Pure; never throws. */
export function cachesNamedBy(command: string): readonly string[] {
  return [...command.matchAll(OF_COMMAND)].flatMap(([, place = '']) => plain(place))
}

/**
 * Returns the places that configurations name, relative to the folder of `readText`. Follows the projects of TypeScript that `command` or
 * other projects name. Pure; never throws.
 */
export function configuredCaches(
  command: string,
  readText: (path: string) => string | null,
): readonly string[] {
  const named = [...command.matchAll(NAMED_PROJECTS)].flatMap(([, path = '']) => asProject(path, ''))
  const waiting = [...CONFIGURATIONS, ...named]
  const places = new Set<string>()
  const seen = new Set<string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path) || seen.size > CONFIGURATIONS.length + MAX_PROJECTS) continue
    seen.add(path)
    const text = readText(path)
    if (text === null) continue
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    for (const place of cachesIn(text)) places.add(join(folder, place))
    if (OF_TYPESCRIPT.test(path))
      for (const [, other = ''] of text.matchAll(PROJECTS)) waiting.push(...asProject(other, folder))
  }
  return [...places]
}

/** Returns the places that the text of a configuration names, relative to its folder. */
function cachesIn(text: string): readonly string[] {
  const found = [...text.matchAll(IN_CONFIGURATION), ...text.matchAll(IN_OBJECT)]
  return found.flatMap(([, literal, word]) => plain(literal ?? word ?? ''))
}

/** Returns the places in which git shows nothing except names such as `.gitkeep`: the others contain more than a cache. */
export function onlyCaches(places: readonly string[], shown: Iterable<string>): readonly string[] {
  const names = [...shown].filter((path) => !/(?:^|\/)\.[^/]*$/.test(path))
  return places.filter((place) => !names.some((path) => isAtOrBelow(path, place)))
}

/** Returns whether a path is a place, or in it. */
export function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

function asProject(path: string, folder: string): readonly string[] {
  if (path.startsWith('/')) return []
  const whole = join(folder, path)
  return path.endsWith('.json') ? [whole] : [join(whole, 'tsconfig.json'), `${whole}.json`]
}

/** Removes the variables that stand for the configuration's folder; returns nothing for text that isn't a path in it. */
function plain(place: string): readonly string[] {
  const path = place
    .replace(/^(?:<rootDir>|\$\{configDir\}|%currentWorkingDirectory%|\{workspaceRoot\}|%rootDir%)\//, '')
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/+$/, '')
  return /^(?:|\/.*|\.|true|false|null|none|memory|filesystem)$/i.test(path) || /[$`*?{}<>%~]/.test(path)
    ? []
    : [path]
}
