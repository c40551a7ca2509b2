import type { ReportFormat } from './test-report.ts'

/*
 * The known test runners: how each is recognized by its command, and which option makes it write a report for us. This is the
 * only place for it; `report-plan.ts` finds the runner behind package scripts and wrappers.
 */

/** A command from the runner's own word on: `["vitest", "run"]`, `["go", "test", "./..."]`. */
export type RunnerWords = readonly string[]

export interface Runner {
  readonly name: string
  readonly format: ReportFormat
  /** Where its report is read: a file of ours, its output, or, if its path can't be set, files that it wrote in the tree. */
  readonly from: 'file' | 'stream' | RegExp
  /** True if its words may mean another program (`rake test`), which is then judged by its exit code. */
  readonly isGuess?: boolean
  /** Returns whether these words run tests in a way that allows a report for us. */
  readonly matches: (words: RunnerWords) => boolean
  /** Returns the arguments that make it report to `file`. */
  readonly options: (file: string, words: RunnerWords) => readonly string[]
  /** Returns how many words must precede these arguments; null if they can go at the end, the only place in a package script. */
  readonly after: (words: RunnerWords) => number | null
  readonly env?: (file: string) => Readonly<Record<string, string>>
}

const has = (words: RunnerWords, ...options: readonly string[]): boolean =>
  words.some((word) => options.some((option) => word === option || word.startsWith(`${option}=`)))
/** After `--` everything belongs to the tests. */
const isOpen = (words: RunnerWords): boolean => !words.includes('--')
const atEnd = (): null => null
/** The runner's own options end at `--`. */
const beforeDashes = (words: RunnerWords): number | null => (isOpen(words) ? null : words.indexOf('--'))

function named(...names: readonly string[]): (words: RunnerWords) => boolean {
  return ([program = '']) => names.includes(program)
}

function subcommand(program: string, ...names: readonly string[]): (words: RunnerWords) => boolean {
  return (words) => words[0] === program && names.every((name, index) => words[index + 1] === name)
}

/** Options of node that take the next word as their value. */
const NODE_VALUES = new Set([
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
])

/** Node's options end at the first word that is not one, and its test reporters must come before. */
function nodePositional(words: RunnerWords): number {
  return words.findIndex(
    (word, index) => index > 0 && !word.startsWith('-') && !NODE_VALUES.has(words[index - 1] ?? ''),
  )
}

const isVitest = named('vitest')
const isJest = named('jest')
const isMocha = named('mocha')

export const RUNNERS: readonly Runner[] = [
  {
    name: 'vitest',
    format: 'vitest',
    from: 'file',
    matches: (words) =>
      isVitest(words) &&
      isOpen(words) &&
      !['bench', 'list', 'init', 'typecheck', 'watch', 'dev'].includes(words[1] ?? '') &&
      !words.some((word) => /^--outputFile/.test(word)) &&
      !has(words, '--watch', '-w', '--mergeReports'),
    // A named reporter replaces the default one, which people want to read.
    options: (file, words) => [
      ...(has(words, '--reporter') ? [] : ['--reporter=default']),
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    after: atEnd,
  },
  {
    name: 'jest',
    format: 'jest',
    from: 'file',
    matches: (words) =>
      isJest(words) &&
      isOpen(words) &&
      !has(words, '--json', '--outputFile', '--watch', '--watchAll', '--listTests', '--init', '--showConfig'),
    options: (file) => ['--json', `--outputFile=${file}`],
    after: atEnd,
  },
  {
    name: 'mocha',
    format: 'junit',
    from: 'file',
    matches: (words) =>
      isMocha(words) &&
      isOpen(words) &&
      !has(words, '--watch', '-w', '--list-interfaces', '--list-reporters'),
    // Of two reporters, the last one counts.
    options: (file) => ['--reporter', 'xunit', '--reporter-option', `output=${file}`],
    after: atEnd,
  },
  {
    name: 'node --test',
    format: 'tap',
    from: 'file',
    matches: (words) => {
      const end = nodePositional(words)
      const own = end < 0 ? words : words.slice(0, end)
      return words[0] === 'node' && own.includes('--test') && !has(words, '--test-reporter', '--watch')
    },
    options: (file) => [
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${file}`,
    ],
    after: (words) => (nodePositional(words) < 0 ? null : 1),
  },
  {
    name: 'pytest',
    format: 'pytest',
    from: 'file',
    matches: (words) =>
      named('pytest', 'py.test')(words) &&
      isOpen(words) &&
      !has(words, '--collect-only', '--co', '--fixtures'),
    options: (file) => [`--junitxml=${file}`],
    after: atEnd,
  },
  {
    // Run with `python -m`. It can't report to a file; with -v it prints each test.
    name: 'unittest',
    format: 'unittest',
    from: 'stream',
    matches: (words) => named('unittest')(words) && isOpen(words) && !has(words, '-h', '--help'),
    options: () => ['-v'],
    after: atEnd,
  },
  {
    name: 'go test',
    format: 'go-test',
    from: 'stream',
    matches: (words) =>
      subcommand('go', 'test')(words) && !has(words, '-c', '-list', '-args', '-bench', '-fuzz'),
    // Go caches results of earlier runs in a folder that anyone may write to, so the cache is not used.
    options: (_file, words) => [
      ...(words.includes('-json') ? [] : ['-json']),
      ...(has(words, '-count') ? [] : ['-count=1']),
    ],
    after: atEnd,
  },
  {
    name: 'gotestsum',
    format: 'junit',
    from: 'file',
    matches: (words) => named('gotestsum')(words) && !has(words, '--junitfile', '--watch'),
    options: (file) => [`--junitfile=${file}`],
    after: (words) => (isOpen(words) ? null : 1),
  },
  {
    name: 'cargo nextest',
    format: 'nextest',
    from: 'stream',
    matches: (words) =>
      subcommand('cargo', 'nextest', 'run')(words) &&
      isOpen(words) &&
      !has(words, '--message-format', '--no-run'),
    options: () => ['--message-format=libtest-json'],
    env: () => ({ NEXTEST_EXPERIMENTAL_LIBTEST_JSON: '1' }),
    after: atEnd,
  },
  {
    name: 'playwright test',
    format: 'junit',
    from: 'file',
    matches: (words) =>
      subcommand('playwright', 'test')(words) && isOpen(words) && !has(words, '--reporter', '--list', '--ui'),
    options: () => ['--reporter=junit'],
    env: (file) => ({ PLAYWRIGHT_JUNIT_OUTPUT_NAME: file, PLAYWRIGHT_JUNIT_OUTPUT_FILE: file }),
    after: atEnd,
  },
  {
    name: 'bun test',
    format: 'junit',
    from: 'file',
    matches: (words) =>
      subcommand('bun', 'test')(words) && isOpen(words) && !has(words, '--reporter', '--watch'),
    options: (file) => ['--reporter=junit', `--reporter-outfile=${file}`],
    after: atEnd,
  },
  {
    name: 'deno test',
    format: 'junit',
    from: 'file',
    matches: (words) =>
      subcommand('deno', 'test')(words) && isOpen(words) && !has(words, '--junit-path', '--watch'),
    options: (file) => [`--junit-path=${file}`],
    after: () => 2,
  },
  {
    name: 'phpunit',
    format: 'junit',
    from: 'file',
    matches: (words) =>
      named('phpunit')(words) && isOpen(words) && !has(words, '--log-junit', '--list-tests'),
    options: (file) => ['--log-junit', file],
    after: atEnd,
  },
  {
    name: 'ctest',
    format: 'junit',
    from: 'file',
    matches: (words) => named('ctest')(words) && !has(words, '--output-junit', '-N', '--show-only'),
    options: (file) => ['--output-junit', file],
    after: atEnd,
  },
  {
    name: 'cargo test',
    format: 'cargo-test',
    from: 'stream',
    matches: (words) =>
      (subcommand('cargo', 'test')(words) || subcommand('cargo', 't')(words)) &&
      !has(
        words,
        '--no-run',
        '--list',
        '--message-format',
        '-q',
        '--quiet',
        '--format',
        '--nocapture',
        '--no-capture',
      ),
    // Don't let a failing program stop the others, whose tests would be missing.
    options: (_file, words) => (has(words, '--no-fail-fast') ? [] : ['--no-fail-fast']),
    after: beforeDashes,
  },
  {
    name: 'prove',
    format: 'prove',
    from: 'stream',
    matches: (words) =>
      named('prove')(words) &&
      !has(
        words,
        '-q',
        '-Q',
        '--quiet',
        '--QUIET',
        '-D',
        '--dry',
        '--formatter',
        '--archive',
        '-a',
        '--timer',
      ),
    // Run one file after the other, because interleaved output can't be separated.
    options: () => ['-v', '--nocolor', '-j1'],
    after: (words) => (words.includes('::') ? words.indexOf('::') : null),
  },
  {
    name: 'rspec',
    format: 'rspec',
    from: 'file',
    matches: (words) =>
      named('rspec')(words) && isOpen(words) && !has(words, '--dry-run', '--init', '--bisect'),
    options: (file, words) => [
      ...(has(words, '--format', '-f') ? [] : ['--format', 'progress']),
      '--format',
      'json',
      '--out',
      file,
    ],
    after: atEnd,
  },
  {
    name: 'minitest',
    format: 'minitest',
    from: 'stream',
    isGuess: true,
    matches: (words) =>
      isOpen(words) &&
      ((named('ruby')(words) &&
        words.some((word) => /(?:^|\/)(?:tests?|test_[^/]*|[^/]*_test)\.rb$/.test(word))) ||
        subcommand('rails', 'test')(words)),
    options: (_file, words) => (has(words, '-v', '--verbose') ? [] : ['-v']),
    after: atEnd,
  },
  {
    name: 'rake test',
    format: 'minitest',
    from: 'stream',
    isGuess: true,
    matches: (words) => subcommand('rake', 'test')(words) && !words.some((word) => /^TESTOPTS=/.test(word)),
    options: () => ['TESTOPTS=-v'],
    after: atEnd,
  },
  {
    name: 'pest',
    format: 'junit',
    from: 'file',
    matches: (words) => named('pest')(words) && isOpen(words) && !has(words, '--log-junit', '--list-tests'),
    options: (file) => ['--log-junit', file],
    after: atEnd,
  },
  {
    name: 'bats',
    format: 'tap',
    from: 'stream',
    matches: (words) =>
      named('bats')(words) &&
      !has(words, '-F', '--formatter', '-c', '--count', '-h', '--help', '-p', '--pretty'),
    options: (_file, words) => (has(words, '-t', '--tap') ? [] : ['--tap']),
    after: () => 1,
  },
  {
    name: 'mix test',
    format: 'exunit',
    from: 'stream',
    matches: (words) =>
      subcommand('mix', 'test')(words) && !has(words, '--formatter', '--stale', '--listen-on-stdin'),
    options: () => ['--trace', '--no-color'],
    after: atEnd,
  },
  {
    name: 'dotnet test',
    format: 'trx',
    from: 'file',
    matches: (words) =>
      subcommand('dotnet', 'test')(words) && !has(words, '--list-tests', '-t', '--results-directory', '-r'),
    // One file for each project, in a folder of ours.
    options: (file) => ['--logger', 'trx', '--results-directory', file],
    after: beforeDashes,
  },
  {
    name: 'maven',
    format: 'junit',
    from: /(?:^|\/)target\/(?:surefire|failsafe)-reports\/TEST-[^/]*\.xml$/,
    isGuess: true,
    matches: (words) =>
      named('mvn', 'mvnw')(words) &&
      words.some((word) => ['test', 'package', 'verify', 'install', 'integration-test'].includes(word)) &&
      !words.some((word) => /^-D(?:skipTests|maven\.test\.skip)/.test(word)),
    options: (_file, words) => (has(words, '-ff', '-fn', '-fae', '--fail-fast') ? [] : ['-fae']),
    after: atEnd,
  },
  {
    name: 'gradle',
    format: 'junit',
    from: /(?:^|\/)build\/test-results\/[^/]+\/[^/]*\.xml$/,
    isGuess: true,
    matches: (words) =>
      named('gradle', 'gradlew')(words) &&
      words.some((word) => /^(?::?[\w:-]+:)?(?:test|check|build)$/.test(word)) &&
      !has(words, '-m', '--dry-run', '-t', '--continuous'),
    // Without these options, up-to-date or cached tasks don't run and write no report.
    options: () => ['--rerun-tasks', '--no-build-cache', '--continue'],
    after: atEnd,
  },
  {
    name: 'ava',
    format: 'tap',
    from: 'stream',
    matches: (words) => named('ava')(words) && isOpen(words) && !has(words, '--watch', '-w'),
    options: (_file, words) => (has(words, '--tap', '-t') ? [] : ['--tap']),
    after: atEnd,
  },
  {
    name: 'tape',
    format: 'tap',
    from: 'stream',
    matches: named('tape'),
    options: () => [],
    after: atEnd,
  },
]
