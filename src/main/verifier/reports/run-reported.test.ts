import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { runGates } from '../gates.ts'
import { readProbe } from '../read-probe.ts'
import {
  createTemporaryWorkspace,
  type TemporaryWorkspace,
  untilTheEnd,
} from '../testing/temporary-workspace.ts'

/*
 * Uses the real runners: vitest and node are always available, pytest and go only on some machines (a test without its runner
 * is skipped, and says so).
 */

const has = (...command: [string, ...string[]]): boolean =>
  spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0
const pytest = ['/usr/bin/python3', 'python3'].find((python) => has(python, '-m', 'pytest', '--version'))
const hasGo = has('go', 'version')

let workspace: TemporaryWorkspace
beforeEach(async () => {
  workspace = await createTemporaryWorkspace()
})
afterEach(() => workspace.remove())

async function gate(...command: string[]) {
  const gates: WorkspaceConfig['gates'] = { commands: [command], timeoutMs: 120_000 }
  const [result] = await runGates(gates, workspace.world, untilTheEnd())
  return result
}

function probe(
  parse: 'vitest' | 'jest' | 'tap' | 'pytest' | 'go-test' | 'junit' | 'prove' | 'trx',
  ...command: string[]
) {
  const config = { source: { kind: 'command', command }, parse, path: null, timeoutMs: 120_000 } as const
  return readProbe('tests', config, workspace.world, untilTheEnd())
}

async function vitestProject(body: string): Promise<void> {
  await symlink(resolve('node_modules'), join(workspace.directory, 'node_modules'))
  await workspace.write('package.json', '{"type":"module","scripts":{"test":"vitest run","lie":"true"}}')
  await workspace.write('a.test.ts', `import { expect, it } from 'vitest'\n${body}`)
}
const GREEN = "it('adds', () => expect(1 + 1).toBe(2))\n"
const RED = "it('subtracts', () => expect(1).toBe(2))\n"

describe('vitest', () => {
  it('uses its report behind npm test, and passes or fails by it', async () => {
    await vitestProject(GREEN)
    expect(await gate('npm', 'test')).toMatchObject({
      status: 'passed',
      runner: 'vitest',
      report: { passed: 1, failed: 0, executed: 1, names: { passed: ['a.test.ts > adds'] } },
    })
    await workspace.write('a.test.ts', `import { expect, it } from 'vitest'\n${GREEN}${RED}`)
    expect(await gate('npm', 'test')).toMatchObject({
      status: 'failed',
      exitCode: 1,
      detail: expect.stringMatching(/^1 of 2 tests failed: a\.test\.ts > subtracts\n/),
      report: { names: { failed: ['a.test.ts > subtracts'] } },
    })
  })

  it('fails if all tests are skipped or gone, although it exits with 0', async () => {
    await vitestProject("it.skip('adds', () => expect(1 + 1).toBe(3))\n")
    expect(await gate('npm', 'test')).toMatchObject({
      status: 'failed',
      exitCode: 0,
      report: { executed: 0 },
    })
    await workspace.write('package.json', '{"scripts":{"test":"vitest run --passWithNoTests no-such-file"}}')
    expect(await gate('npm', 'test')).toMatchObject({
      status: 'failed',
      exitCode: 0,
      report: { executed: 0 },
    })
  })

  it('fails if a test ends the process with 0', async () => {
    await vitestProject(`process.exit(0)\n${GREEN}`)
    expect(await gate('npm', 'test')).toMatchObject({ status: 'failed' })
  })

  it('reads as an object for a probe, whatever its exit code, and writes nothing into the workspace', async () => {
    await vitestProject(GREEN + RED)
    const command = ['npx', 'vitest', 'run', '--reporter=json', '--outputFile={report}']
    const value = { passed: 1, failed: 1, skipped: 0, executed: 2, total: 2 }
    expect(await probe('vitest', ...command)).toMatchObject({
      kind: 'value',
      value,
      report: { names: { failed: ['a.test.ts > subtracts'] } },
    })
    expect(await probe('vitest', 'npm', 'test')).toMatchObject({ kind: 'value', value })
    expect((await readdir(workspace.directory)).sort()).toEqual(['a.test.ts', 'node_modules', 'package.json'])
  })

  it('has only the exit code left, and names no runner, if the script no longer runs it', async () => {
    await vitestProject(GREEN)
    const result = await gate('npm', 'run', 'lie')
    expect(result).toMatchObject({ status: 'passed', exitCode: 0 })
    expect(result).not.toHaveProperty('runner')
    expect(await probe('vitest', 'npm', 'run', 'lie')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/wrote no report .*"\{report\}"/),
    })
  })
})

describe('node --test', () => {
  const suite = "import { test } from 'node:test'\ntest('a', () => {})\n"

  it('is read by its names, even behind a script with files', async () => {
    await workspace.write('package.json', '{"scripts":{"test":"node --test t/a.test.mjs"}}')
    await workspace.write('t/a.test.mjs', `${suite}test('b', () => { throw new Error('no') })\n`)
    expect(await gate('npm', 'test')).toMatchObject({
      status: 'failed',
      runner: 'node --test',
      report: { passed: 1, failed: 1, names: { passed: ['a'], failed: ['b'] } },
    })
    await workspace.write('t/a.test.mjs', suite)
    expect(await gate('node', '--test', 't/a.test.mjs')).toMatchObject({
      status: 'passed',
      report: { total: 1 },
    })
  })

  it('is read in its own format if the probe names another', async () => {
    await workspace.write('t/a.test.mjs', suite)
    await workspace.write('package.json', '{"scripts":{"test":"node --test"}}')
    expect(await probe('vitest', 'npm', 'test')).toMatchObject({ kind: 'value', value: { executed: 1 } })
  })

  it('loses names if it was ended early', async () => {
    await workspace.write('t/a.test.mjs', `process.exit(0)\n${suite}`)
    const result = await gate('node', '--test', 't/a.test.mjs')
    expect(result?.report?.names.passed).toEqual(['t/a.test.mjs'])
  })
})

describe.skipIf(pytest === undefined)('pytest', () => {
  const run = (): string[] => [pytest ?? '', '-m', 'pytest', '-q']

  it('is read by its names and leaves no byte code', async () => {
    await workspace.write(
      'test_a.py',
      'import pytest\ndef test_a(): pass\ndef test_b(): assert False\n@pytest.mark.skip\ndef test_c(): pass\n',
    )
    expect(await probe('pytest', ...run())).toMatchObject({
      kind: 'value',
      value: { passed: 1, failed: 1, skipped: 1, executed: 2, total: 3 },
      report: { names: { passed: ['pytest > test_a > test_a'] } },
    })
    expect(await readdir(workspace.directory)).not.toContain('__pycache__')
  })

  it('has no answer if it exited with 0 before it could report', async () => {
    await workspace.write('test_a.py', 'import os\nos._exit(0)\ndef test_a(): assert False\n')
    expect(await gate(...run())).toMatchObject({
      status: 'unavailable',
      exitCode: 0,
      detail: expect.stringMatching(/wrote no report/),
    })
  })

  it('fails if nothing is collected', async () => {
    expect(await gate(...run())).toMatchObject({ status: 'failed', exitCode: 5 })
  })
})

describe.skipIf(!hasGo)('go test', () => {
  it('is read from its stream, and a package that does not compile fails', {
    timeout: 120_000,
  }, async () => {
    await workspace.write('go.mod', 'module example.org/m\n\ngo 1.19\n')
    const source = (body: string): string =>
      `package m\nimport "testing"\nfunc TestA(t *testing.T) {}\n${body}`
    await workspace.write('m_test.go', source('func TestB(t *testing.T) { t.Fatal("no") }\n'))
    expect(await probe('go-test', 'go', 'test', './...')).toMatchObject({
      kind: 'value',
      value: { passed: 1, failed: 1, total: 2 },
      report: { names: { passed: ['example.org/m > TestA'], failed: ['example.org/m > TestB'] } },
    })
    await workspace.write('m_test.go', source('func TestB(t *testing.T) { nonsense() }\n'))
    expect(await gate('go', 'test', './...')).toMatchObject({ status: 'failed' })
    await workspace.write(
      'm_test.go',
      source('import "os"\nfunc init() { os.Exit(0) }\n'.replace(/^import.*\n/, '')),
    )
    expect(await gate('go', 'test', './...')).toMatchObject({ status: 'failed' })
  })
})

describe('a report', () => {
  it('found in the workspace is only a claim', async () => {
    await workspace.write(
      'report.xml',
      '<testsuites><testsuite name="s"><testcase name="a"/></testsuite></testsuites>',
    )
    const config = {
      source: { kind: 'file', file: 'report.xml' },
      parse: 'junit',
      path: null,
      timeoutMs: 1000,
    } as const
    expect(await readProbe('tests', config, workspace.world, untilTheEnd())).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/is only a claim\. Give the command .*"\{report\}"/),
    })
  })

  it('fails if it is successful but the exit code is not', async () => {
    const xml = '<testsuite name="s"><testcase name="a"/></testsuite>'
    const command = await workspace.script('run', `echo '${xml}' > "$1"; exit 3`)
    expect(await probe('junit', ...command, '{report}')).toMatchObject({
      value: { passed: 1, failed: 1, executed: 1, total: 2 },
      report: { names: { failed: ['(exit code 3)'] } },
    })
  })

  it.each([
    ['a link', 'ln -s /etc/passwd "$1"'],
    ['a hard link to another file', 'ln old.xml "$1"'],
    ['a pipe', 'mkfifo "$1"'],
    ['a folder', 'mkdir "$1"'],
    ['truncated', 'echo "<testsuite><testcase name=" > "$1"'],
    ['empty', ': > "$1"'],
  ])('that is %s is not a report', async (_what, body) => {
    await workspace.write('old.xml', '<testsuite name="s"><testcase name="a"/></testsuite>')
    const command = await workspace.script('run', body)
    expect(await probe('junit', ...command, '{report}')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/its report cannot be read/),
    })
  })

  it('of an earlier run is not found again, and no folder of ours is left', async () => {
    const once = await workspace.script(
      'once',
      'echo "$1" >> places; [ -e done ] || echo "<testsuite><testcase name=\\"a\\"/></testsuite>" > "$1"; touch done',
    )
    expect(await probe('junit', ...once, '{report}')).toMatchObject({ kind: 'value' })
    expect(await probe('junit', ...once, '{report}')).toMatchObject({ kind: 'unreadable' })
    const places = readFileSync(join(workspace.directory, 'places'), 'utf8').trim().split('\n')
    expect(places).toHaveLength(2)
    expect(places.map((place) => existsSync(dirname(place)))).toEqual([false, false])
  })
})

/** A script of the folder, like a wrapper that people check in. */
async function program(name: string, body: string): Promise<string> {
  const path = join(workspace.directory, name)
  await writeFile(path, `#!/bin/sh\n${body}`, { mode: 0o755 })
  return `./${name}`
}

describe('a report in several files', () => {
  const suite = (name: string, inside = ''): string =>
    `<testsuite name="${name}"><testcase classname="${name}" name="t">${inside}</testcase></testsuite>`

  it('is read completely if the runner makes a folder at the given path', async () => {
    const run = await program(
      'run.sh',
      `mkdir -p "$1/sub" && echo '${suite('A')}' > "$1/TEST-a.xml" && echo '${suite('B', '<failure/>')}' > "$1/sub/TEST-b.xml"\necho x > "$1/log.txt"\n`,
    )
    expect(await probe('junit', run, '{report}')).toMatchObject({
      kind: 'value',
      value: { passed: 1, failed: 1, total: 2 },
    })
  })

  it('is ignored if a link leads to it', async () => {
    const run = await program('run.sh', `mkdir "$1" && ln -s "$PWD/mine.xml" "$1/a.xml"\n`)
    await workspace.write('mine.xml', suite('A'))
    expect(await probe('junit', run, '{report}')).toMatchObject({ kind: 'unreadable' })
  })

  it('is what Maven wrote in this run, not what was there before', async () => {
    const folder = 'app/target/surefire-reports'
    await workspace.write(`${folder}/TEST-old.xml`, suite('Old'))
    await utimes(join(workspace.directory, folder, 'TEST-old.xml'), 4_000_000_000, 4_000_000_000)
    const mvn = await program('mvnw', `echo '${suite('Cart')}' > ${folder}/TEST-Cart.xml\n`)
    expect(await gate(mvn, 'test')).toMatchObject({
      status: 'passed',
      runner: 'maven',
      report: { names: { passed: ['Cart > t'] } },
    })
  })

  it('is missing if nothing was compiled, so Maven fails; without tests, its exit code counts', async () => {
    const red = await program('mvnw', 'echo "COMPILATION ERROR"; exit 1\n')
    expect(await gate(red, 'test')).toMatchObject({ status: 'failed', report: { failed: 1, executed: 0 } })
    const empty = await program('mvnw', 'echo BUILD SUCCESS\n')
    const result = await gate(empty, 'test')
    expect(result).toMatchObject({ status: 'passed' })
    expect(result).not.toHaveProperty('runner')
  })
})

describe('a runner that ends before it reports', () => {
  it('fails if its tests cannot be loaded', async () => {
    await symlink(resolve('node_modules'), join(workspace.directory, 'node_modules'))
    const go = await program('go', 'echo "# m/a"; echo "FAIL\tm/a [build failed]"; exit 1\n')
    expect(await probe('go-test', go, 'test', './...')).toMatchObject({
      kind: 'value',
      value: { passed: 0, failed: 1, executed: 0 },
    })
    const mocha = await program('mocha', 'echo "Error: Cannot find module \'left-pad\'" >&2; exit 1\n')
    expect(
      await probe('junit', mocha, '--reporter', 'xunit', '--reporter-option', 'output={report}'),
    ).toMatchObject({
      kind: 'value',
      value: { failed: 1 },
    })
    expect(await gate(mocha)).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/ended before any test was reported/),
    })
  })

  it('does not count as a failure of the work if only the options that request a report break it', async () => {
    const jest = await program('jest', 'case "$*" in *--json*) echo "unknown option" >&2; exit 1;; esac\n')
    expect(await probe('jest', jest)).toMatchObject({
      kind: 'unreadable',
      fault: 'contract',
      reason: expect.stringMatching(/jest passes without what makes it report \(--json --outputFile=…\)/),
    })
    expect(await gate(jest)).toMatchObject({ status: 'unavailable' })
    const broken = await program('mocha', 'exit 1\n')
    expect(await probe('junit', broken)).toMatchObject({ kind: 'value', value: { failed: 1 } })
  })

  it.each([
    ['its program is missing', 'echo "sh: mocha: not found" >&2; exit 127\n'],
    ['its program could not be fetched', 'echo "npm error code EAI_AGAIN" >&2; exit 1\n'],
    ['its dependencies could not be fetched', 'echo "dial tcp: lookup proxy: no such host" >&2; exit 1\n'],
  ])('does not blame the work if %s', async (_, body) => {
    const mocha = await program('mocha', body)
    expect(await probe('junit', mocha)).toMatchObject({ kind: 'unreadable' })
  })

  it('is unreadable if the command may be any program', async () => {
    const run = await program('run.sh', 'exit 1\n')
    expect(await probe('junit', run, '{report}')).toMatchObject({ kind: 'unreadable' })
  })
})

describe('mocha with another reporter', () => {
  it('is read by our reporter, which is added last', async () => {
    // What mocha does with two reporters, and with the option for the last one.
    const mocha = await program(
      'mocha',
      'while [ $# -gt 0 ]; do case "$1" in --reporter) r=$2; shift;; --reporter-option) o=$(echo "$2" | cut -d= -f2); shift;; esac; shift; done\n' +
        '[ "$r" = xunit ] && echo \'<testsuite name="m"><testcase classname="c" name="t"/></testsuite>\' > "$o"\n',
    )
    expect(await gate(mocha, '--reporter', 'dot')).toMatchObject({
      status: 'passed',
      runner: 'mocha',
      report: { passed: 1 },
    })
  })
})

describe('prove', () => {
  it.skipIf(!has('prove', '--version'))('is read by file and test', async () => {
    await workspace.write(
      't/a.t',
      "use Test::More; ok(1, 'adds'); subtest in => sub { ok(1, 'x'); done_testing }; done_testing;\n",
    )
    await workspace.write('t/b.t', "use Test::More tests => 2; ok(1, 'one'); exit 0;\n")
    await workspace.write('t/c.t', "use Test::More skip_all => 'not here';\n")
    expect(await gate('prove', '-r', 't')).toMatchObject({
      status: 'failed',
      runner: 'prove',
      report: {
        names: {
          passed: ['t/a.t > adds', 't/a.t > in > x', 't/b.t > one'],
          failed: ['t/b.t > (the plan was not kept)'],
          skipped: ['t/c.t > (the file itself)'],
        },
      },
    })
    await workspace.write('t/b.t', "use Test::More tests => 1; ok(1, 'one');\n")
    expect(await gate('prove', '-r', 't')).toMatchObject({ status: 'passed', report: { passed: 3 } })
  })
})

describe('cargo test', () => {
  it.skipIf(!has('cargo', '--version'))(
    'is read with the names of all its programs',
    async () => {
      await workspace.write('Cargo.toml', '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n')
      const body = (value: number) => `#[test] fn adds() { assert_eq!(1 + 1, ${value}); }\n`
      await workspace.write('src/lib.rs', body(3))
      await workspace.write('tests/whole.rs', '#[test] fn whole() {}\n')
      expect(await gate('cargo', 'test', '--offline', '--tests')).toMatchObject({
        status: 'failed',
        runner: 'cargo test',
        report: { names: { passed: ['whole'], failed: ['adds'] } },
      })
      await workspace.write('src/lib.rs', 'fn broken( {\n')
      expect(await gate('cargo', 'test', '--offline', '--tests')).toMatchObject({
        status: 'failed',
        report: { executed: 0, failed: 1 },
      })
    },
    120_000,
  )
})

describe('Ruby', () => {
  it.skipIf(!has('ruby', '-e', "require 'minitest'"))('is read from minitest’s output', async () => {
    const test = (expected: number) =>
      `require 'minitest/autorun'\nclass TestCart < Minitest::Test\n  def test_adds; puts 'said'; assert_equal ${expected}, 1 + 1; end\nend\n`
    await workspace.write('test/cart_test.rb', test(2))
    expect(await gate('ruby', 'test/cart_test.rb')).toMatchObject({
      status: 'passed',
      runner: 'minitest',
      report: { names: { passed: ['TestCart#test_adds'] } },
    })
    await workspace.write('test/cart_test.rb', `${test(2)}exit! 0\n`)
    expect(await gate('ruby', 'test/cart_test.rb')).toMatchObject({ status: 'passed' })
    await workspace.write('test/cart_test.rb', test(3))
    expect(await gate('ruby', 'test/cart_test.rb')).toMatchObject({ status: 'failed' })
  })

  it.skipIf(!has('rspec', '--version'))('is read from RSpec’s report', async () => {
    await workspace.write(
      'spec/cart_spec.rb',
      "RSpec.describe('cart') { it('adds') { expect(1 + 1).to eq 2 }; it('red') { expect(1).to eq 2 } }\n",
    )
    expect(await gate('rspec')).toMatchObject({
      status: 'failed',
      runner: 'rspec',
      report: {
        names: { passed: ['spec/cart_spec.rb > cart adds'], failed: ['spec/cart_spec.rb > cart red'] },
      },
    })
    await workspace.write('spec/cart_spec.rb', "require 'no/such'\n")
    expect(await gate('rspec')).toMatchObject({ status: 'failed', report: { passed: 0, failed: 1 } })
  })
})

describe('shell and PHP', () => {
  it.skipIf(!has('bats', '--version'))('bats is read as TAP', async () => {
    await workspace.write('test/a.bats', '@test "adds" { [ $((1+1)) -eq 2 ]; }\n@test "red" { false; }\n')
    expect(await gate('bats', 'test')).toMatchObject({
      status: 'failed',
      runner: 'bats',
      report: { names: { passed: ['adds'], failed: ['red'] } },
    })
  })

  it.skipIf(!has('phpunit', '--version'))('PHPUnit is read as JUnit', async () => {
    const test = (expected: number) =>
      `<?php class CartTest extends PHPUnit\\Framework\\TestCase { function testAdds() { $this->assertSame(${expected}, 1 + 1); } }\n`
    await workspace.write('CartTest.php', test(2))
    expect(await gate('phpunit', 'CartTest.php')).toMatchObject({ status: 'passed', report: { passed: 1 } })
    await workspace.write('CartTest.php', test(3))
    expect(await gate('phpunit', 'CartTest.php')).toMatchObject({ status: 'failed', report: { failed: 1 } })
    await workspace.write('CartTest.php', '<?php function broken( {\n')
    expect(await gate('phpunit', 'CartTest.php')).toMatchObject({ status: 'failed', report: { executed: 0 } })
  })
})
