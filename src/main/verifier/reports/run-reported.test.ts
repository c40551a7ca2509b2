import { spawnSync } from 'node:child_process'
import { readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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
 * With the real runners: vitest and node are always there, pytest and go where the machine has them (a test without its runner
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

function probe(parse: 'vitest' | 'tap' | 'pytest' | 'go-test' | 'junit', ...command: string[]) {
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
  it('is asked for its report behind npm test, and passes or fails by it', async () => {
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

  it('is red where all tests are skipped or gone, though it exits with 0', async () => {
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

  it('is red where a test ends the process with 0', async () => {
    await vitestProject(`process.exit(0)\n${GREEN}`)
    expect(await gate('npm', 'test')).toMatchObject({ status: 'failed' })
  })

  it('as a probe reads as an object, whatever its exit code, and writes nothing into the workspace', async () => {
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

  it('is no longer asked where the script runs it no more: the exit code alone is left, and no runner named', async () => {
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

  it('is read by its names, also behind a script with files', async () => {
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

  it('is read in its own form where the probe names another', async () => {
    await workspace.write('t/a.test.mjs', suite)
    await workspace.write('package.json', '{"scripts":{"test":"node --test"}}')
    expect(await probe('vitest', 'npm', 'test')).toMatchObject({ kind: 'value', value: { executed: 1 } })
  })

  it('that was ended early has lost its names', async () => {
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

  it('that ended itself with 0 before it could report has no answer', async () => {
    await workspace.write('test_a.py', 'import os\nos._exit(0)\ndef test_a(): assert False\n')
    expect(await gate(...run())).toMatchObject({
      status: 'unavailable',
      exitCode: 0,
      detail: expect.stringMatching(/wrote no report/),
    })
  })

  it('is red where nothing is collected', async () => {
    expect(await gate(...run())).toMatchObject({ status: 'failed', exitCode: 5 })
  })
})

describe.skipIf(!hasGo)('go test', () => {
  it('is read from its stream, and a package that does not compile is red', {
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
  it('that lies in the workspace is a claim', async () => {
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
      reason: expect.stringMatching(/is a claim: give the command .*"\{report\}"/),
    })
  })

  it('that is green beside an exit code that is not is red', async () => {
    const xml = '<testsuite name="s"><testcase name="a"/></testsuite>'
    const command = await workspace.script('run', `echo '${xml}' > "$1"; exit 3`)
    expect(await probe('junit', ...command, '{report}')).toMatchObject({
      value: { passed: 1, failed: 1, executed: 1, total: 2 },
      report: { names: { failed: ['(exit code 3)'] } },
    })
  })

  it.each([
    ['a link', 'ln -s /etc/passwd "$1"'],
    ['a second name of another file', 'ln old.xml "$1"'],
    ['a pipe', 'mkfifo "$1"'],
    ['a folder', 'mkdir "$1"'],
    ['cut off', 'echo "<testsuite><testcase name=" > "$1"'],
    ['empty', ': > "$1"'],
  ])('that is %s is no report', async (_what, body) => {
    await workspace.write('old.xml', '<testsuite name="s"><testcase name="a"/></testsuite>')
    const command = await workspace.script('run', body)
    expect(await probe('junit', ...command, '{report}')).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringMatching(/its report cannot be read/),
    })
  })

  it('of an earlier run is not found again, and no folder of ours is left', async () => {
    const left = async (): Promise<number> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('pulseward-report-')).length
    const before = await left()
    const once = await workspace.script(
      'once',
      'echo "$1" >> places; [ -e done ] || echo "<testsuite><testcase name=\\"a\\"/></testsuite>" > "$1"; touch done',
    )
    expect(await probe('junit', ...once, '{report}')).toMatchObject({ kind: 'value' })
    expect(await probe('junit', ...once, '{report}')).toMatchObject({ kind: 'unreadable' })
    expect(await left()).toBeLessThanOrEqual(before)
  })
})
