import { asksGit } from './git-view.ts'
import type { Instrument } from './instruments.ts'
import { steeringParts } from './steering.ts'

/*
 * Settings outside of the tree that make programs of checks run something else, or do less: in the home folder, where users keep them, and
 * in the folders above the tree, where some programs look too.
 */

/** A file that steers a program, or a folder of such files. */
export interface OutsideFile {
  /** The path, with `/`, relative to the home folder or to each folder above the tree. */
  readonly path: string
  readonly from: 'home' | 'above'
  /** Returns the steering part of its text; files with equal parts steer alike. */
  readonly counts: (text: string) => string
}

interface Kind {
  readonly programs: RegExp
  readonly home: readonly string[]
  readonly above?: readonly string[]
  readonly counts?: (text: string) => string
}

const whole = (text: string): string => text.trim()
/** Keeps only lines that set one of these names, or a quoted name, which may spell any of them. Registries and proxies steer nothing. */
const settings =
  (names: RegExp) =>
  (text: string): string =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => names.test(line))
      .join('\n')

const PACKAGE_TOOLS = /^(?:p?np[mx]|yarn|bunx?)$/
const RUST = /^(?:cargo|cargo-\w+|rustc)$/
const PYTHON = /^(?:python[\d.]*|pip[\d.]*|pytest|py\.test|tox|nox|coverage|mypy)$/
const NODE = /^(?:node|npm|npx|pnpm|yarn|vitest|jest|mocha)$/
/** Includes `python`, because `python3 -m pytest` runs pytest as a module and no program has its name. */
const PYTEST = /^(?:pytest|py\.test|tox|nox|coverage|(?:python|pypy)[\d.]*)$/

const KINDS: readonly Kind[] = [
  {
    programs: PACKAGE_TOOLS,
    home: ['.npmrc', '.config/pnpm/rc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'],
    counts: settings(
      /^(?:["'](?!@[\w./-]+:registry\b|\/\/)|(?:script-?shell|node-options|ignore-scripts|if-present|globalconfig|shell(?:-emulator)?|yarn-?path|plugins|preload|(?:include-)?workspaces?(?:-root)?|init-module)\b)/i,
    ),
  },
  {
    programs: /^go$/,
    home: ['.config/go/env'],
    // Everything but where modules come from: the rest decides what is built, and from what.
    counts: settings(
      /^(?!(?:GOPROXY|GOPRIVATE|GONOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|GOVCS|GOAUTH|GOTELEMETRY)=)\w+=/,
    ),
  },
  { programs: /^go$/, home: [], above: ['go.work'] },
  {
    programs: RUST,
    home: ['.cargo/config.toml', '.cargo/config'],
    above: ['.cargo/config.toml', '.cargo/config', 'rust-toolchain', 'rust-toolchain.toml'],
  },
  // Says which of the installed toolchains rustup uses, but not when it last checked for a newer one.
  {
    programs: RUST,
    home: ['.rustup/settings.toml'],
    counts: (text) => text.replace(/^(?:version|profile)\b.*$/gm, '').trim(),
  },
  {
    programs: /^(?:mvnw?|gradlew?)$/,
    home: [
      '.gradle/init.gradle',
      '.gradle/init.gradle.kts',
      '.gradle/init.d',
      '.gradle/gradle.properties',
      '.m2/settings.xml',
      '.m2/extensions.xml',
      '.mavenrc',
    ],
  },
  // Which of the installed versions a version manager's shims run.
  { programs: PYTHON, home: ['.pyenv/version'], above: ['.python-version'] },
  { programs: /^(?:ruby|rake|rspec|bundle|gem)$/, home: ['.rbenv/version'], above: ['.ruby-version'] },
  { programs: NODE, home: ['.nodenv/version'], above: ['.node-version'] },
  {
    programs: new RegExp(
      `${PYTHON.source}|${NODE.source}|^(?:ruby|rake|rspec|bundle|go|java|mvn|gradle|mix|elixir|php)$`,
    ),
    home: ['.tool-versions', '.config/mise/config.toml'],
    above: ['.tool-versions', 'mise.toml', '.mise.toml'],
  },
  // Runners and linters that look above the tree for their configuration if the tree has none.
  {
    programs: PYTEST,
    home: [],
    above: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'tox.ini'],
  },
  {
    programs: PYTEST,
    home: [],
    above: ['pyproject.toml', 'setup.cfg'],
    counts: (text) => (/^[ \t]*\[(?:tool[.:])?pytest\b/m.test(text) ? whole(text) : ''),
  },
  {
    programs: /^(?:ruff|ty|uv|uvx)$/,
    home: [
      '.config/ruff/ruff.toml',
      '.config/ruff/.ruff.toml',
      '.config/ruff/pyproject.toml',
      '.config/uv/uv.toml',
    ],
    above: ['ruff.toml', '.ruff.toml', 'uv.toml', 'pyproject.toml'],
  },
  {
    programs: /^(?:mypy|dmypy|pylint|flake8|pycodestyle|pydocstyle|bandit|black|isort|yapf)$/,
    home: [
      ...['.mypy.ini', '.config/mypy/config', '.pylintrc', '.config/pylintrc', '.config/flake8'],
      ...['.config/pycodestyle', '.isort.cfg', '.config/black', '.config/yapf/style', '.style.yapf'],
    ],
    above: ['mypy.ini', '.mypy.ini', '.pylintrc', 'pylintrc', '.flake8', '.isort.cfg', '.style.yapf'],
  },
  {
    programs: /^mocha$/,
    home: [],
    above: ['js', 'cjs', 'yaml', 'yml', 'jsonc', 'json'].map((end) => `.mocharc.${end}`),
  },
  {
    programs: /^(?:eslint|prettier|stylelint|biome|oxlint|dprint|tsc|markdownlint|cspell)$/,
    home: [
      '.eslintrc',
      '.eslintrc.json',
      '.eslintrc.js',
      '.eslintrc.yml',
      '.eslintrc.yaml',
      '.prettierrc',
      '.stylelintrc',
    ],
    above: [
      ...['.eslintrc', '.eslintrc.json', '.eslintrc.js', '.eslintrc.cjs', '.eslintrc.yml', '.eslintrc.yaml'],
      ...['eslint.config.js', 'eslint.config.mjs', 'eslint.config.cjs', 'eslint.config.ts', '.editorconfig'],
      ...['.prettierrc', '.prettierrc.json', '.prettierrc.yml', '.prettierrc.yaml', '.prettierrc.toml'],
      ...[
        '.prettierrc.js',
        '.prettierrc.cjs',
        '.prettierrc.mjs',
        'prettier.config.js',
        'prettier.config.mjs',
      ],
      ...[
        '.stylelintrc',
        '.stylelintrc.json',
        '.stylelintrc.yml',
        'stylelint.config.js',
        'stylelint.config.mjs',
      ],
      ...['biome.json', 'biome.jsonc', '.oxlintrc.json', 'dprint.json', 'cspell.json', '.markdownlint.json'],
      'tsconfig.json',
    ],
  },
  {
    programs: /^(?:rubocop|standardrb|reek)$/,
    home: ['.rubocop.yml', '.config/rubocop/config.yml', '.reek.yml'],
    above: ['.rubocop.yml', '.standard.yml', '.reek.yml'],
  },
  { programs: /^rake$/, home: [], above: ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'] },
  {
    programs: /^(?:golangci-lint|staticcheck)$/,
    home: ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'],
    above: ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json', 'staticcheck.conf'],
  },
  {
    programs: /^(?:clang-tidy|clang-format|shellcheck|yamllint|hadolint|phpstan|phpunit)$/,
    home: ['.shellcheckrc', '.config/shellcheckrc', '.config/yamllint/config', '.config/hadolint.yaml'],
    above: [
      '.clang-tidy',
      '.clang-format',
      '_clang-format',
      '.shellcheckrc',
      '.yamllint',
      '.yamllint.yml',
      '.yamllint.yaml',
    ],
  },
  { programs: /^(?:rspec|bundle|rake)$/, home: ['.rspec', '.config/rspec/options'] },
  { programs: /^prove$/, home: ['.proverc'] },
  { programs: /^(?:elixir|mix|iex|erl|escript|rebar3)$/, home: ['.erlang', '.config/erlang/.erlang'] },
  { programs: /^zsh$/, home: ['.zshenv'] },
  { programs: /^curl$/, home: ['.curlrc', '.config/curlrc'] },
  { programs: /^wget$/, home: ['.wgetrc'] },
  { programs: /^jq$/, home: ['.jq'] },
  { programs: /^sqlite3$/, home: ['.sqliterc', '.config/sqlite3/sqliterc'] },
  { programs: /^psql$/, home: ['.psqlrc'] },
]
/** Programs that any package script may run, even if its text doesn't name them. */
const OF_ANY_SCRIPT = ['sh', 'node']

/**
 * Returns the programs that would run instead of ones with these names: package tools put `node_modules/.bin` of every folder above before
 * PATH. Only plain names are looked up there.
 */
function programsAbove(names: ReadonlySet<string>): readonly OutsideFile[] {
  if (![...names].some((name) => PACKAGE_TOOLS.test(name))) return []
  return [...new Set([...names, ...OF_ANY_SCRIPT])].map((name) => ({
    path: `node_modules/.bin/${name}`,
    from: 'above',
    counts: whole,
  }))
}

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

/** Returns the files outside of the tree that steer what these checks run. Pure. */
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
    ...programsAbove(names),
    ...(asksGit(executes, readText, commands) ? GIT : []),
    ...(startsUp ? START_FILES : []),
  ]
}

function fromHome(path: string, counts: OutsideFile['counts']): OutsideFile {
  return { path, from: 'home', counts }
}

/**
 * Returns git's settings without the sections that change neither what it shows nor what it runs; all of them if sections can't be told
 * apart.
 */
function gitSettings(text: string): string {
  const parts = steeringParts('.git/config', text)
  return parts === null ? whole(text) : [...parts.values()].sort().join('\n')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
