/* Files that a runner's configuration tells it to load: they steer a check as much as those named in its options. */

interface Configuration {
  readonly programs: RegExp
  readonly files: readonly string[]
  /** The options that a text contains, split into words. */
  readonly optionsIn: (text: string) => readonly string[]
  /** The key of `package.json` that is the runner's, if it reads one. */
  readonly packageKey?: string
}

const SCRIPTS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts']
const DATA = ['json', 'jsonc', 'yaml', 'yml']

/**
 * Settings whose value is loaded beside the tests. Settings that lead to sources (`alias`, `moduleNameMapper`, `include`) are not among
 * them.
 */
const SETTINGS =
  /(?<![\w$.-])(?:setupFiles(?:AfterEnv)?|global(?:Setup|Teardown)|(?:test)?[eE]nvironment|resolver|transform|(?:test)?[rR]unner|reporters?|snapshot(?:Serializers|Resolver)|testSequencer|testResultsProcessor|require|import|file|loader|preload|bootstrap|helpers|rustc-wrapper|linker|script-shell)["']?\s{0,9}[:=]\s{0,99}(\[[^\]]{0,2000}|\{[^}]{0,2000}|(?:\s{0,9}-[ \t][^\n]{0,300}\n?){1,50}|[^,;\n]{0,300})/g
const WORDS = /[\w@.+<>/-]+/g
const ADDOPTS =
  /^[ \t]*addopts[ \t]*=[ \t]*(\[[^\]]{0,2000}|"""[\s\S]{0,2000}?"""|[^\n]{0,1000}(?:\n[ \t]+[^\n]{0,500}){0,50})/gm

const settingsIn = (text: string): readonly string[] =>
  [...text.matchAll(SETTINGS)].flatMap(([, value = '']) =>
    (value.match(WORDS) ?? []).flatMap((word) => ['--require', word.replace(/^<rootDir>\//, '')]),
  )
const wordsIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (/^\s*#/.test(line) ? [] : (line.match(/[^\s"']+/g) ?? [])))
const addedIn = (text: string): readonly string[] =>
  [...text.matchAll(ADDOPTS)].flatMap(([, value = '']) => value.match(/[^\s"',[\]]+/g) ?? [])

/** The files of the repository that it extends. Excludes code and packages, which may be the work. */
const EXTENDS = /(?<![\w$.-])["']?extends["']?[ \t]*:[ \t]*(\[[^\]]{0,2000}|["'][^"'\n]{1,200})/g
const extendedIn = (text: string): readonly string[] =>
  [...text.matchAll(EXTENDS)].flatMap(([, value = '']) =>
    (value.match(WORDS) ?? []).flatMap((word) =>
      /^\.\.?\//.test(word) && !/\.[cm]?[jt]sx?$/.test(word)
        ? ['--config', word, '--config', `${word}.json`]
        : [],
    ),
  )

const named = (name: string, endings: readonly string[]): readonly string[] =>
  endings.map((ending) => `${name}.${ending}`)

const CONFIGURATIONS: readonly Configuration[] = [
  {
    programs: /^_?mocha$/,
    files: named('.mocharc', ['js', 'cjs', 'mjs', ...DATA]),
    optionsIn: settingsIn,
    packageKey: 'mocha',
  },
  {
    programs: /^jest$/,
    files: named('jest.config', [...SCRIPTS, 'json']),
    optionsIn: settingsIn,
    packageKey: 'jest',
  },
  {
    programs: /^vitest$/,
    files: ['vitest.config', 'vite.config', 'vitest.workspace'].flatMap((name) => named(name, SCRIPTS)),
    optionsIn: settingsIn,
    packageKey: 'vitest',
  },
  { programs: /^ava$/, files: named('ava.config', SCRIPTS), optionsIn: settingsIn, packageKey: 'ava' },
  { programs: /^nyc$/, files: ['.nycrc', '.nycrc.json'], optionsIn: settingsIn, packageKey: 'nyc' },
  { programs: /^playwright$/, files: named('playwright.config', SCRIPTS), optionsIn: settingsIn },
  { programs: /^bun$/, files: ['bunfig.toml'], optionsIn: settingsIn },
  {
    programs: /^p?np[mx]$/,
    files: ['.npmrc'],
    optionsIn: (text) => [...settingsIn(text), ...nodeOptions(text)],
  },
  { programs: /^cargo$/, files: ['.cargo/config.toml', '.cargo/config'], optionsIn: settingsIn },
  {
    programs: /^(?:phpunit|pest|paratest)$/,
    files: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'],
    optionsIn: settingsIn,
  },
  {
    programs: /^(?:pytest|py\.test)$/,
    files: [
      'pytest.ini',
      '.pytest.ini',
      'pytest.toml',
      '.pytest.toml',
      'tox.ini',
      'setup.cfg',
      'pyproject.toml',
    ],
    optionsIn: addedIn,
  },
  { programs: /^(?:tsc|vue-tsc|tsgo)$/, files: ['tsconfig.json'], optionsIn: extendedIn },
  { programs: /^biome$/, files: ['biome.json', 'biome.jsonc'], optionsIn: extendedIn },
  { programs: /^eslint$/, files: ['.eslintrc', ...named('.eslintrc', DATA)], optionsIn: extendedIn },
  { programs: /^rspec$/, files: ['.rspec', '.rspec-local'], optionsIn: wordsIn },
  { programs: /^prove$/, files: ['.proverc'], optionsIn: wordsIn },
]

function nodeOptions(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*node-options[ \t]*=[ \t]*([^\n]{0,1000})/gm)].flatMap(([, value = '']) =>
    wordsIn(value),
  )
}

/**
 * Returns the options that a program reads from its configuration, as words; it loads what they name. `readText` takes a path relative to
 * the folder in which the program runs. Pure; never throws.
 */
export function configuredOptions(
  program: string,
  readText: (path: string) => string | null,
): readonly string[] {
  return CONFIGURATIONS.filter(({ programs }) => programs.test(program)).flatMap(
    ({ files, optionsIn, packageKey }) => {
      const own = packageKey === undefined ? null : keyOf(readText('package.json'), packageKey)
      return [own, ...files.map(readText)].flatMap((text) => (text === null ? [] : optionsIn(text)))
    },
  )
}

function keyOf(text: string | null, key: string): string | null {
  try {
    const value: unknown = (JSON.parse(text ?? '{}') as Record<string, unknown> | null)?.[key]
    return value === undefined ? null : JSON.stringify(value)
  } catch {
    return null
  }
}

/** Loads variables from a file into the process: by its default name, or by the one that follows. */
const LOADS_VARIABLES =
  /\bloadEnvFile\s{0,9}\(|['"]dotenv\/config['"]|\bdotenv\b[^\n]{0,80}\bconfig\s{0,9}\(|\bload_dotenv\s{0,9}\(|\bDotenv\.(?:over)?load\b!?|\bDotenv::create\w{0,20}\(/
const NAME_OF_VARIABLES = /["']([\w./-]{0,100}\.env[\w.-]{0,40})["']/g

/** Fails if the file is missing. */
const NEEDS_VARIABLES = /\bloadEnvFile\b/

/** Files from which a script of a check loads its variables, which are never what it checks. */
export interface VariableFiles {
  readonly names: readonly string[]
  /** Whether the script also works without them. */
  readonly areOptional: boolean
}

/** Returns the names of the files from which a script loads its variables. Pure; never throws. */
export function variableFilesOf(text: string): VariableFiles {
  if (!LOADS_VARIABLES.test(text)) return { names: [], areOptional: true }
  const others = [...text.matchAll(NAME_OF_VARIABLES)].map(([, name = '']) => name)
  return { names: [...new Set(['.env', ...others])], areOptional: !NEEDS_VARIABLES.test(text) }
}
