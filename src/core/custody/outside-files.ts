import { asksGit } from './git-view.ts'
import type { Instrument } from './instruments.ts'
import { steeringParts } from './steering.ts'

/*
 * Settings outside of the tree by which programs of checks run something else, or less: in the home folder, where their users keep them,
 * and in the folders above the tree, where some look for them too.
 */

/** A file that steers a program. */
export interface OutsideFile {
  /** With `/`, from the home folder or from each folder above the tree. */
  readonly path: string
  readonly from: 'home' | 'above'
  /** What of its text counts; the same text, the same steering. */
  readonly counts: (text: string) => string
}

interface Kind {
  readonly programs: RegExp
  readonly home: readonly string[]
  readonly above?: readonly string[]
  readonly counts?: (text: string) => string
}

const whole = (text: string): string => text.trim()
/** Only lines that set one of these, or a name in quotes, which may spell any; who sets a registry or a proxy steers nothing. */
const settings =
  (names: RegExp) =>
  (text: string): string =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => names.test(line))
      .join('\n')

const KINDS: readonly Kind[] = [
  {
    programs: /^(?:p?np[mx]|yarn|bunx?)$/,
    home: ['.npmrc', '.config/pnpm/rc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'],
    counts: settings(
      /^(?:["'](?!@[\w./-]+:registry\b|\/\/)|(?:script-?shell|node-options|ignore-scripts|if-present|globalconfig|shell(?:-emulator)?|yarn-?path|plugins|preload)\b)/i,
    ),
  },
  {
    programs: /^go$/,
    home: ['.config/go/env'],
    counts: settings(
      /^(?:GOFLAGS|GOTOOLCHAIN|GOROOT|GOWORK|GOEXPERIMENT|GODEBUG|GOOS|GOARCH|CC|CXX|CGO_\w+)=/,
    ),
  },
  { programs: /^go$/, home: [], above: ['go.work'] },
  {
    programs: /^(?:cargo|cargo-\w+|rustc)$/,
    home: ['.cargo/config.toml', '.cargo/config'],
    above: ['.cargo/config.toml', '.cargo/config'],
  },
  {
    programs: /^(?:mvnw?|gradlew?)$/,
    home: [
      '.gradle/init.gradle',
      '.gradle/init.gradle.kts',
      '.gradle/gradle.properties',
      '.m2/settings.xml',
      '.mavenrc',
    ],
  },
  { programs: /^(?:rspec|bundle|rake)$/, home: ['.rspec', '.config/rspec/options'] },
  { programs: /^prove$/, home: ['.proverc'] },
  { programs: /^zsh$/, home: ['.zshenv'] },
  { programs: /^curl$/, home: ['.curlrc', '.config/curlrc'] },
  { programs: /^wget$/, home: ['.wgetrc'] },
  { programs: /^jq$/, home: ['.jq'] },
  { programs: /^sqlite3$/, home: ['.sqliterc', '.config/sqlite3/sqliterc'] },
  { programs: /^psql$/, home: ['.psqlrc'] },
]
const GIT: readonly OutsideFile[] = [
  ...['.gitconfig', '.config/git/config'].map((path) => fromHome(path, gitSettings)),
  ...['.config/git/ignore', '.config/git/attributes', '.config/fd/ignore'].map((path) =>
    fromHome(path, whole),
  ),
]
const SHELLS = /^(?:bash|sh|dash|ksh|zsh)$/
const STARTS_UP = /^(?:-[a-z]*[li][a-z]*|--login)$/
const START_FILES = [
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.bashrc',
  '.zprofile',
  '.zshrc',
  '.zlogin',
].map((path) => fromHome(path, whole))

/** The files outside of the tree that steer what these checks run. Pure. */
export function outsideFiles(
  executes: readonly Pick<Instrument, 'kind' | 'path'>[],
  commands: readonly (readonly string[])[],
  readText: (path: string) => string | null,
): readonly OutsideFile[] {
  const names = new Set(executes.map(({ path }) => nameOf(path)))
  const found = KINDS.filter(({ programs }) => [...names].some((name) => programs.test(name)))
  const startsUp = commands.some(
    ([program = '', option = '']) => SHELLS.test(nameOf(program)) && STARTS_UP.test(option),
  )
  return [
    ...found.flatMap(({ home, above = [], counts = whole }) => [
      ...home.map((path) => fromHome(path, counts)),
      ...above.map((path): OutsideFile => ({ path, from: 'above', counts })),
    ]),
    ...(asksGit(executes, readText, commands) ? GIT : []),
    ...(startsUp ? START_FILES : []),
  ]
}

function fromHome(path: string, counts: OutsideFile['counts']): OutsideFile {
  return { path, from: 'home', counts }
}

/** Its sections but those that neither change what git shows nor what it runs; all of it where they cannot be told apart. */
function gitSettings(text: string): string {
  const parts = steeringParts('.git/config', text)
  return parts === null ? whole(text) : [...parts.values()].sort().join('\n')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
