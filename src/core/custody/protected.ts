import picomatch from 'picomatch'
import { AGENT_RULES } from '../vocabulary/agent-rules.ts'

/*
 * The files that decide what a check says, by ecosystem. They are protected where `protected` holds "default".
 *
 * Three kinds of rule, so that most paths are told by a look into a set: a folder counts with everything below it,
 * wherever it stands; a name is a glob over the last part of the path; a path is a glob over all of it, from the top of
 * the repository.
 */
interface ProtectedRules {
  readonly folders?: readonly string[]
  readonly names?: readonly string[]
  readonly paths?: readonly string[]
}

/** What tests compare with, or are fed: there a log, or a folder called `build`, is nobody's output. */
const DATA_FOLDERS = [
  'fixtures',
  '__fixtures__',
  'testdata',
  'test-data',
  'golden',
  'goldens',
  'expected',
  '__expected__',
  'approvals',
  'baselines',
  'cassettes',
]

export const PROTECTED_BY_DEFAULT = {
  'any ecosystem': {
    folders: [
      ...DATA_FOLDERS,
      'test',
      'tests',
      '__tests__',
      'spec',
      'specs',
      'e2e',
      '__snapshots__',
      'snapshots',
      '__mocks__',
      '__image_snapshots__',
      '__file_snapshots__',
      'testing',
      'testutil',
      'testutils',
      'test-utils',
      'test_utils',
      'testhelpers',
      'test-helpers',
      'test_helpers',
      'test-support',
      'test_support',
      'testlib',
    ],
    names: [
      '*.snap',
      '*.golden',
      '*.{expected,approved}',
      '*.verified.{txt,json,xml,html,md,csv,y{a,}ml,png,svg}',
      '*.{expected,approved,golden}.*',
      'expected.*',
      'expected{-,_}*.*',
      '.env.test',
      'Makefile',
      'makefile',
      'GNUmakefile',
      '*.mk',
      'justfile',
      'Justfile',
      '.justfile',
      'Taskfile.y{a,}ml',
      'codecov.y{a,}ml',
      '.codecov.y{a,}ml',
      '.editorconfig',
      '.pre-commit-config.yaml',
      'lefthook.y{a,}ml',
      'sonar-project.properties',
      '*.bats',
      '{test,tests,run-tests,run_tests,test-runner}.{sh,bash,zsh}',
      '{test_*,test-*,*_test,*-test,*.test,*_spec}.{sh,bash,zsh}',
      '.shellspec',
      '.shellcheckrc',
      'goss.y{a,}ml',
      // Which version of a program is run, and with what.
      '.tool-versions',
      '{,.}mise{,.local}.toml',
      '.envrc',
      '.{nvmrc,node-version,ruby-version,java-version,go-version,sdkmanrc}',
    ],
  },
  CI: {
    folders: [
      '.github',
      '.gitlab',
      '.circleci',
      '.buildkite',
      '.husky',
      '.woodpecker',
      '.forgejo',
      '.gitea',
      '.semaphore',
    ],
    names: [
      '.gitlab-ci.y{a,}ml',
      '.travis.yml',
      'azure-pipelines*.y{a,}ml',
      'Jenkinsfile*',
      'bitbucket-pipelines.yml',
      '.drone.yml',
      '.woodpecker.y{a,}ml',
      '{,.}appveyor.y{a,}ml',
      '.cirrus.{y{a,}ml,star}',
      'buildspec{,-*,_*}.y{a,}ml',
      'cloudbuild.yaml',
    ],
  },
  JavaScript: {
    folders: ['cypress'],
    names: [
      '*.{test,tests,spec,e2e,cy}.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte}',
      '*.{test,spec}-d.ts',
      // What `node --test`, Deno and Bun look for beside that.
      'test.{js,ts,mjs,cjs,mts,cts}',
      '{test-*,*-test,*_test,*-spec,*_spec,*-tests,*_tests}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
      '*.{unit,integration}.{js,jsx,ts,tsx,mjs,cjs,mts,cts}',
      '*{Test,Tests,Spec}.{js,jsx,ts,tsx,mjs,cjs}',
      '{vite,vitest,jest,ava,karma,playwright,cypress,wdio,web-test-runner,rstest,craco,nightwatch,webpack,rollup,rspack,rolldown,tsup,babel,swc,esbuild,postcss,metro,stryker,nyc,c8}.{config,conf,workspace,setup}.{js,ts,mjs,cjs,mts,cts,json}',
      'vitest.workspace.{js,ts,mjs,mts,json}',
      'vitest.{setup,global-setup,globals}.{js,ts,mjs,mts}',
      'jest.{setup,global-setup,globals,preset}*.{js,ts,mjs,cjs,json}',
      '{setupTests,setup-tests,test-setup,testSetup}.{js,ts,jsx,tsx,mjs,cjs,mts}',
      'jest-preset.{js,json}',
      '.mocharc*',
      '.testcaferc*',
      '.labrc*',
      'cypress{,.env}.json',
      '{,.}angular{,-cli}.json',
      '.taprc',
      '.nycrc*',
      '.c8rc*',
      '.babelrc*',
      '.swcrc',
      '{eslint,prettier,stylelint,oxlint,biome,lint-staged}.config.*',
      '.eslintrc*',
      '.eslintignore',
      '.prettierrc*',
      '.prettierignore',
      '.stylelintrc*',
      '.stylelintignore',
      '.jshint{rc,ignore}',
      '.oxlintrc.json',
      'tslint.json',
      '.xo-config{,.js,.cjs,.json}',
      '{,.}dprint.json{c,}',
      'biome.json{c,}',
      'tsconfig*.json',
      'jsconfig*.json',
      '.npmrc',
      '.yarnrc{,.yml}',
      '.pnpmfile.{cjs,mjs,js}',
      'pnpm-workspace.yaml',
      'bunfig.toml',
      'deno.json{c,}',
      'gulpfile.*',
      'Gruntfile.*',
      'turbo.json',
      'nx.json',
      'lerna.json',
      'electron.vite.config.*',
      'testem.js{on,}',
      'cucumber.{js,cjs,mjs,json,y{a,}ml}',
      'codecept.conf.{js,ts}',
      '{knip,cspell,.cspell,typedoc}.json{c,}',
      '.dependency-cruiser.{js,cjs,mjs,json}',
      '.size-limit{,.js,.cjs,.json}',
      '.lintstagedrc*',
      '.markdownlint*',
      'project.json',
      'wireit.json',
      'package.json',
    ],
    // The package manager itself, and what it loads.
    paths: ['**/.yarn/{releases,plugins}/**'],
  },
  Python: {
    names: [
      'test_*.py',
      '*_test.py',
      // Django's, and what unittest finds by `test*.py`.
      '{test,tests}.py',
      '{tests_*,*_tests}.py',
      'test[A-Z0-9]*.py',
      'conftest.py',
      'pytest.ini',
      '.pytest.ini',
      '{,.}pytest.toml',
      'tox.{ini,toml}',
      'hatch.toml',
      'uv.toml',
      'noxfile.py',
      'behave.ini',
      '.behaverc',
      'nose.cfg',
      'unittest.cfg',
      '.nose2.cfg',
      'robot.toml',
      'setup.cfg',
      'setup.py',
      'pyproject.toml',
      '.coveragerc',
      'mypy.ini',
      '.mypy.ini',
      'pyrightconfig.json',
      '.pylintrc',
      'pylintrc',
      '.flake8',
      'ruff.toml',
      '.ruff.toml',
      'ty.toml',
      'pyrefly.toml',
      '.isort.cfg',
      '.pydocstyle{,.ini}',
      '.pycodestyle',
      '.bandit',
      'bandit.y{a,}ml',
      '.pyre_configuration',
      '.importlinter',
      '.python-version',
      'manage_test.py',
      'sitecustomize.py',
      'usercustomize.py',
      '*.pth',
    ],
    // New modules of these names stand before those that a check imports.
    paths: [
      '**/{pytest,_pytest,pluggy,unittest,hypothesis,nose2,coverage}.py',
      '**/{_pytest,pluggy,unittest}/**',
      // Plugins of pytest are found by what is installed, and a folder of this name is.
      '**/*.{dist-info,egg-info}/entry_points.txt',
      '{os,sys,re,json,math,random,time,datetime,decimal,subprocess,pathlib,io,types,typing,collections,functools,itertools,inspect,importlib,ast,traceback,warnings,contextlib,enum,copy,abc,string,operator,builtins,site}.py',
    ],
  },
  Go: {
    // A vendored library of assertions is what tests are told by.
    paths: ['**/vendor/modules.txt', '**/vendor/**/{testify,go-cmp,gomega,ginkgo,is,check,quicktest}/**'],
    names: [
      '*_test.go',
      'go.mod',
      'go.work',
      '.golangci.{yml,yaml,toml,json}',
      'staticcheck.conf',
      '.testcoverage.y{a,}ml',
      'magefile.go',
    ],
  },
  Rust: {
    folders: ['benches'],
    names: [
      'Cargo.toml',
      'build.rs',
      'rust-toolchain{,.toml}',
      'clippy.toml',
      '.clippy.toml',
      'rustfmt.toml',
      '.rustfmt.toml',
      'deny.toml',
      'tarpaulin.toml',
      '.tarpaulin.toml',
      'mutants.toml',
    ],
    paths: ['**/.cargo/config{,.toml}', '**/.config/nextest.toml', '**/{tests,test}.rs'],
  },
  'Java and Kotlin': {
    folders: ['androidTest'],
    names: [
      '*{Test,Tests,IT,Spec}.{java,kt,kts,groovy,scala}',
      'Test*.{java,kt}',
      'pom.xml',
      'build.gradle{,.kts}',
      'settings.gradle{,.kts}',
      'gradle.properties',
      'gradle-wrapper.{properties,jar}',
      'gradlew{,.bat}',
      'mvnw{,.cmd}',
      'build.sbt',
      'checkstyle*.xml',
      'pmd*.xml',
      'spotbugs*.xml',
      'detekt.y{a,}ml',
      'testng*.xml',
      'junit-platform.properties',
      '*.gradle{,.kts}',
      'libs.versions.toml',
      'lombok.config',
      'archunit.properties',
      'pitest*.xml',
      '.scalafmt.conf',
      '.scalafix.conf',
      'scoverage.properties',
    ],
    paths: ['**/.mvn/**', '**/buildSrc/**'],
  },
  '.NET': {
    names: [
      '*{Test,Tests,Spec,Specs}.{cs,fs,vb}',
      '*{Test,Tests}.{cs,fs,vb}proj',
      '*.{cs,fs,vb}proj',
      '*.sln{,x}',
      'Directory.{Build,Packages}.{props,targets}',
      'global.json',
      'nuget.config',
      'NuGet.config',
      '*.runsettings',
      '*.ruleset',
      'xunit.runner.json',
      'appsettings.{Test,Testing}.json',
      'stylecop.json',
      'coverlet.runsettings',
      'Directory.{Solution,Build}.{props,targets}',
      '.globalconfig',
    ],
    paths: ['**/*.{Tests,Test,UnitTests,IntegrationTests}/**'],
  },
  Ruby: {
    names: [
      '*_{test,spec}.rb',
      'test_*.rb',
      '.rspec{,-local}',
      'Rakefile',
      '*.rake',
      '.rubocop{,*.yml}',
      '.standard.yml',
      '.simplecov',
      'cucumber.y{a,}ml',
      'Guardfile',
      'Steepfile',
      '.reek.yml',
      '.minitest.rb',
      'rails_helper.rb',
      'test_helper.rb',
      'spec_helper.rb',
    ],
    folders: ['features'],
    paths: ['**/.bundle/config'],
  },
  PHP: {
    names: [
      '*{Test,Cest,Cept}.php',
      'phpunit{,.dist}.xml',
      'phpunit.xml.dist',
      'phpstan{,.dist}.neon',
      'phpstan.neon.dist',
      'phpstan-baseline.{neon,php}',
      'psalm{,.dist,-baseline}.xml',
      'psalm.xml.dist',
      'Pest.php',
      'codeception{,.dist}.yml',
      '.php-cs-fixer{,.dist}.php',
      '{,.}phpcs{,.dist}.xml',
      '{,.}phpcs.xml.dist',
      'infection.json{,5}',
      'infection.json{,5}.dist',
      'behat.y{a,}ml{,.dist}',
      'phpspec.y{a,}ml{,.dist}',
      'kahlan-config.php',
      'rector.php',
      'ecs.php',
      'grumphp.yml',
      'phpbench.json',
      'composer.json',
    ],
  },
  Swift: {
    folders: ['Tests', 'UITests', '__Snapshots__'],
    paths: ['**/*Tests/Fixtures/**'],
    names: [
      '*{Tests,Test,Spec}.swift',
      'Package.swift',
      '*.xctestplan',
      '.swiftlint.yml',
      '.swiftformat',
      '*.xcscheme',
      '*.xcconfig',
      'project.pbxproj',
      'Fastfile',
      'Scanfile',
    ],
  },
  'C and C++': {
    names: [
      '*{_test,_tests,_unittest,.test,Test,Tests}.{c,cc,cpp,cxx}',
      'test_*.{c,cc,cpp,cxx}',
      'CMakeLists.txt',
      'CMakePresets.json',
      'CTestConfig.cmake',
      '*.cmake',
      'meson.build',
      'meson_options.txt',
      'BUILD{,.bazel}',
      'WORKSPACE{,.bazel}',
      'MODULE.bazel',
      '.bazelrc',
      'configure.ac',
      'conanfile.{py,txt}',
      'vcpkg.json',
      '{Test*,*Test,*Tests}.{c,cc,cpp,cxx}',
      'xmake.lua',
      'premake5.lua',
      'configure',
      'Makefile.{am,in}',
      'CTestCustom.cmake',
      '.lcovrc',
      'gcovr.cfg',
      '.gcovr',
      '.cppcheck*',
      '.clang-tidy',
      '.clang-format',
    ],
  },
} as const satisfies Record<string, ProtectedRules>

/** The word in `protected` that stands for the table above. */
const DEFAULT_WORD = 'default'

/** Git's own data, dependencies and caches: nobody's tests lie there, and they are too large to be looked through. */
const PASSED_OVER = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.nyc_output',
  'target',
  '.gradle',
  '.turbo',
  '.vite',
  '.vitest',
  '.cache',
])
/** Of those, what a check cannot do without. */
const KEPT_WITH_TREE = new Set(['.git', 'node_modules', '.venv', 'venv', '.tox', '.nox'])
/**
 * Where runners and compilers write: a folder of tests below one of these, or one of these in a folder of tests, is
 * their output. What a name alone protects is protected here too.
 */
const OUTPUT_FOLDERS = new Set([
  'coverage',
  'htmlcov',
  'test-results',
  'playwright-report',
  'TestResults',
  'bin',
  'obj',
  'dist',
  'build',
  'out',
])
const OUTPUT_NAMES = /\.(?:class|o|tsbuildinfo|coverage|log|lcov)$/
/** What editors and interpreters leave beside any file. */
const SCRATCH_NAMES = /(?:\.py[cod]|\.swp|\.rej|\.orig|~)$/
/** Below these `target` is a name like any other, and no folder of Cargo's or Maven's. */
const SOURCE_FOLDERS = new Set([
  'src',
  'lib',
  'app',
  'source',
  'sources',
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'e2e',
])

/** What agent programs keep for themselves: no check is steered by it. */
const AGENT_FILES = new RegExp(
  `(?:^|/)(?:${AGENT_RULES.join('|')})\\.md$|(?:^|/)\\.(?:claude|codex|cursor|gemini|opencode)/`,
)
/**
 * Of these, rules by their kind of file: that they were deleted is told. Locks and temporary files the programs delete
 * themselves.
 */
const RULES_FILE = /\.(?:mdc?|json|toml|ya?ml|sh|py|rules)$/

/** Whether a folder, by its path, is passed over when protected files are looked for. */
export function isPassedOver(folder: string): boolean {
  const parts = folder.split('/')
  const at = parts.length - 1
  return PASSED_OVER.has(parts[at] ?? '') && !isAmongSources(parts, at)
}

/** Whether a folder, by its path, is what a runner or compiler keeps for itself and makes again where it is missing. */
export function isCache(folder: string): boolean {
  return isPassedOver(folder) && !KEPT_WITH_TREE.has(folder.slice(folder.lastIndexOf('/') + 1))
}

/** Whether folders of this name are what a package manager installs into. */
export function holdsDependencies(folder: string): boolean {
  return folder === 'node_modules' || folder === '.venv' || folder === 'venv'
}

/**
 * Tells protected paths by the globs of `protected`, where "default" stands for the table. Paths are relative, with
 * `/`, from the top of the repository or from the workspace alike. No pattern protects nothing. Throws nothing; a glob
 * that no path can match matches none.
 */
export function protectionBy(patterns: readonly string[]): (path: string) => boolean {
  const own = patterns.filter((pattern) => pattern !== DEFAULT_WORD)
  const isOwn = own.length === 0 ? () => false : picomatch([...own], { dot: true })
  const isByDefault = patterns.includes(DEFAULT_WORD) ? protectedByDefault : () => false
  return (path) => isOwn(path) || isByDefault(path)
}

/**
 * As `protectionBy`, and where it holds "default" agents' own rules too: what is weakened among these is told, and
 * holds nothing.
 */
export function toldBy(patterns: readonly string[]): (path: string) => boolean {
  const isProtected = protectionBy(patterns)
  return patterns.includes(DEFAULT_WORD) ? (path) => isAgentRule(path) || isProtected(path) : isProtected
}

function isAgentRule(path: string): boolean {
  return AGENT_FILES.test(path) && RULES_FILE.test(path)
}

/** Whether the table protects a path. */
export function protectedByDefault(path: string): boolean {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  if (SCRATCH_NAMES.test(name) || AGENT_FILES.test(path)) return false
  if (parts.some((part, at) => PASSED_OVER.has(part) && !isAmongSources(parts, at))) return false
  if (isDataOfTests(parts)) return true
  if (OUTPUT_NAMES.test(name)) return false
  const { folders, names, paths } = compiled()
  if (names.test(name) || paths.test(path)) return true
  return parts.some((part) => folders.has(part)) && !parts.some((part) => OUTPUT_FOLDERS.has(part))
}

function isAmongSources(folders: readonly string[], at: number): boolean {
  return folders[at] === 'target' && folders.slice(0, at).some((folder) => SOURCE_FOLDERS.has(folder))
}

function isDataOfTests(folders: readonly string[]): boolean {
  const at = folders.findIndex((folder) => DATA_FOLDERS.includes(folder))
  return at >= 0 && !folders.slice(0, at).some((folder) => OUTPUT_FOLDERS.has(folder))
}

interface Compiled {
  readonly folders: ReadonlySet<string>
  readonly names: RegExp
  readonly paths: RegExp
}

let memory: Compiled | null = null

/** Once: the table makes some hundred expressions, which are joined into two. */
function compiled(): Compiled {
  const rules: readonly ProtectedRules[] = Object.values(PROTECTED_BY_DEFAULT)
  memory ??= {
    folders: new Set(rules.flatMap(({ folders = [] }) => folders)),
    names: joined(rules.flatMap(({ names = [] }) => names)),
    paths: joined(rules.flatMap(({ paths = [] }) => paths)),
  }
  return memory
}

function joined(globs: readonly string[]): RegExp {
  return new RegExp(globs.map((glob) => `(?:${picomatch.makeRe(glob, { dot: true }).source})`).join('|'))
}
