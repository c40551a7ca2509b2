import { describe, expect, it } from 'vitest'
import { planReport } from './report-plan.ts'

const FILE = '/tmp/r/report'
const scripts = {
  test: 'vitest run',
  build: 'tsc -b',
  all: 'npm run build && npm test',
  types: 'vitest run && tsc --noEmit',
  piped: 'vitest run | tee log.txt',
  unit: 'node --test',
  files: 'node --test "test/*.test.js"',
  globs: 'node --test test/*.test.js "$EXTRA"',
  ci: 'CI=1 cross-env NODE_ENV=test jest --ci',
  py: 'python -m pytest -q',
  true: 'true',
  loop: 'npm run loop',
  expands: 'mocha "$TESTS/**/*.js"',
}
const plan = (...command: string[]) => planReport(command, { scripts, reportFile: FILE })
const vitestOptions = ['--reporter=default', '--reporter=json', `--outputFile.json=${FILE}`]
const nodeOptions = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  `--test-reporter-destination=${FILE}`,
]

it('leaves shell expansions to the shell if options go in the middle of a script', () => {
  const written = `node ${nodeOptions.join(' ')} --test test/*.test.js "$EXTRA"`
  expect(plan('npm', 'run', 'globs')?.command).toEqual(['npm', 'exec', '--call', written])
})

describe('runs a command that ends in a known runner with our report', () => {
  it.each([
    [
      ['vitest', 'run'],
      ['vitest', 'run', ...vitestOptions],
    ],
    [
      ['npx', '--yes', 'vitest@3', 'run'],
      ['npx', '--yes', 'vitest@3', 'run', ...vitestOptions],
    ],
    [['./node_modules/.bin/vitest'], ['./node_modules/.bin/vitest', ...vitestOptions]],
    [
      ['npm', 'test'],
      ['npm', 'test', '--', ...vitestOptions],
    ],
    [['npm', '--version'], null],
    [
      ['npm', 'test', '--', 'src/a'],
      ['npm', 'test', '--', 'src/a', ...vitestOptions],
    ],
    [
      ['pnpm', 'test'],
      ['pnpm', 'test', ...vitestOptions],
    ],
    [
      ['yarn', 'test'],
      ['yarn', 'test', ...vitestOptions],
    ],
    [
      ['npm', 'run', 'all'],
      ['npm', 'run', 'all', '--', '--', ...vitestOptions],
    ],
    [
      ['npm', 'run', 'ci'],
      ['npm', 'run', 'ci', '--', '--json', `--outputFile=${FILE}`],
    ],
    [
      ['npm', 'run', 'py'],
      ['npm', 'run', 'py', '--', `--junitxml=${FILE}`],
    ],
    [
      ['npm', 'run', 'unit'],
      ['npm', 'run', 'unit', '--', ...nodeOptions],
    ],
    [
      ['npm', 'run', 'files'],
      ['npm', 'exec', '--call', `node ${nodeOptions.join(' ')} --test "test/*.test.js"`],
    ],
    [
      ['npm', 'run', 'expands'],
      ['npm', 'run', 'expands', '--', '--reporter', 'xunit', '--reporter-option', `output=${FILE}`],
    ],
    [
      ['node', '--test', 'a.test.js'],
      ['node', ...nodeOptions, '--test', 'a.test.js'],
    ],
    [
      ['node', '--import', 'tsx', '--test'],
      ['node', '--import', 'tsx', '--test', ...nodeOptions],
    ],
    [
      ['node', 'node_modules/jest/bin/jest.js'],
      ['node', 'node_modules/jest/bin/jest.js', '--json', `--outputFile=${FILE}`],
    ],
    [
      ['python3', '-m', 'pytest', 'tests'],
      ['python3', '-m', 'pytest', 'tests', `--junitxml=${FILE}`],
    ],
    [['.venv/bin/pytest'], ['.venv/bin/pytest', `--junitxml=${FILE}`]],
    [
      ['coverage', 'run', '-m', 'pytest'],
      ['coverage', 'run', '-m', 'pytest', `--junitxml=${FILE}`],
    ],
    [
      ['uv', 'run', 'pytest'],
      ['uv', 'run', 'pytest', `--junitxml=${FILE}`],
    ],
    [
      ['go', 'test', './...'],
      ['go', 'test', './...', '-json', '-count=1'],
    ],
    [
      ['cargo', 'nextest', 'run'],
      ['cargo', 'nextest', 'run', '--message-format=libtest-json'],
    ],
    [
      ['sh', '-c', 'npm ci && npm test'],
      ['sh', '-c', `npm ci && npm test -- ${vitestOptions.join(' ')}`],
    ],
    [
      ['sh', '-ec', 'cd app; FOO="a b" pytest "$DIR"'],
      ['sh', '-ec', `cd app; FOO="a b" pytest "$DIR" --junitxml=${FILE}`],
    ],
    [
      ['playwright', 'test'],
      ['playwright', 'test', '--reporter=junit'],
    ],
    [
      ['mocha', '--reporter', 'spec', 'test'],
      ['mocha', '--reporter', 'spec', 'test', '--reporter', 'xunit', '--reporter-option', `output=${FILE}`],
    ],
    [
      ['cargo', 'test', '--', '--test-threads=1'],
      ['cargo', 'test', '--no-fail-fast', '--', '--test-threads=1'],
    ],
    [
      ['prove', '-lr', 't'],
      ['prove', '-lr', 't', '-v', '--nocolor', '-j1'],
    ],
    [
      ['bundle', 'exec', 'rspec'],
      ['bundle', 'exec', 'rspec', '--format', 'progress', '--format', 'json', '--out', FILE],
    ],
    [
      ['ruby', '-Itest', 'test/cart_test.rb'],
      ['ruby', '-Itest', 'test/cart_test.rb', '-v'],
    ],
    [
      ['rake', 'test'],
      ['rake', 'test', 'TESTOPTS=-v'],
    ],
    [
      ['bats', 'test'],
      ['bats', '--tap', 'test'],
    ],
    [
      ['mix', 'test'],
      ['mix', 'test', '--trace', '--no-color'],
    ],
    [
      ['dotnet', 'test'],
      ['dotnet', 'test', '--logger', 'trx', '--results-directory', FILE],
    ],
    [
      ['./mvnw', '-q', 'test'],
      ['./mvnw', '-q', 'test', '-fae'],
    ],
    [
      ['./gradlew', ':app:test'],
      ['./gradlew', ':app:test', '--rerun-tasks', '--no-build-cache', '--continue'],
    ],
  ])('%j', (command, expected) => {
    expect(plan(...command)?.command ?? null).toEqual(expected)
  })
})

describe('uses only the exit code', () => {
  it.each([
    ['for a program that is not a runner', ['npm', 'run', 'build']],
    ['for a script that ends with another command', ['npm', 'run', 'types']],
    ['for a piped runner, whose exit code is lost', ['npm', 'run', 'piped']],
    ['for a script that does nothing', ['npm', 'run', 'true']],
    ['for a script that calls itself', ['npm', 'run', 'loop']],
    ['for a script that does not exist', ['npm', 'run', 'gone']],
    ['for a script of another package', ['npm', '--prefix', 'other', 'test']],
    ['for a script of other packages', ['npm', 'test', '--workspaces']],
    ['for a substitution', ['sh', '-c', 'vitest run $(cat files)']],
    ['for a runner in the background', ['sh', '-c', 'vitest run &']],
    ['for a runner whose failure is ignored', ['sh', '-c', 'vitest run || true']],
    ['for a runner that only lists tests', ['pytest', '--collect-only']],
    ['for a runner that already writes a report', ['jest', '--json', '--outputFile=mine.json']],
    ['for a runner in watch mode', ['vitest', '--watch']],
    ['for a custom script', ['./check.sh']],
    ['for a Ruby script that is not a test', ['ruby', 'bin/cart.rb']],
    ['for tests that Maven skips', ['mvn', 'test', '-DskipTests']],
    ['for a Cargo command that only builds', ['cargo', 'test', '--no-run']],
    ['for an object method, not a script', ['npm', 'run', 'toString']],
    ['for an empty command', []],
  ])('%s', (_what, command) => {
    expect(plan(...command)).toBeNull()
  })
})
