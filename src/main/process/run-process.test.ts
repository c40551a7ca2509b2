import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import type { OutputChunk } from '../ports/agent-runner.ts'
import { type ProcessRequest, runProcess } from './run-process.ts'
import { createTestMark, type TestMark, until } from './testing/running-processes.ts'

let directory: string
let mark: TestMark

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pulseward-process-'))
  mark = createTestMark()
})

afterEach(() => {
  const left = mark.running()
  mark.endAll()
  rmSync(directory, { recursive: true, force: true })
  expect(left, 'processes left running').toEqual([])
})

const LONG_MS = 20_000
const KILL_GRACE_MS = 300

function run(command: readonly string[], options: Partial<ProcessRequest> = {}) {
  return runProcess({
    command,
    directory,
    stdin: null,
    timeoutMs: LONG_MS,
    signal: new AbortController().signal,
    maxBytes: 1024 * 1024,
    clock: systemClock,
    killGraceMs: KILL_GRACE_MS,
    ...options,
    env: { ...mark.env, ...options.env },
  })
}

const node = (script: string): string[] => [process.execPath, '-e', script]

const FOR_EVER = 'setInterval(() => {}, 1000)'

/** Returns code that starts a grandchild that runs until SIGKILL, and creates the file `ready`. */
function spawnStubborn(options: string): string {
  const stubborn = `process.on('SIGTERM', () => {}); ${FOR_EVER}; require('node:fs').writeFileSync('ready', '')`
  return `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], ${options})`
}
const isReady = (): boolean => existsSync(join(directory, 'ready'))

/** Cancels the program once `condition` is true. */
async function runUntilCancelled(command: readonly string[], condition: () => boolean) {
  const controller = new AbortController()
  const result = run(command, { signal: controller.signal })
  await until(condition)
  controller.abort()
  return result
}

/** Lets the program time out once it has printed something. */
async function runUntilTimeout(command: readonly string[]) {
  const over = new AbortController()
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    systemClock.sleep(ms, AbortSignal.any([over.signal, ...(signal ? [signal] : [])]))
  return run(command, { clock: { ...systemClock, sleep }, onOutput: () => over.abort() })
}

describe('a run that ends by itself', () => {
  it('returns the exit code and both streams', async () => {
    const result = await run(['sh', '-c', 'echo out; echo err >&2; exit 3'])
    expect(result).toEqual({
      started: true,
      failure: null,
      timedOut: false,
      cancelled: false,
      dismissed: false,
      exitCode: 3,
      signal: null,
      durationMs: expect.any(Number),
      stdout: { text: 'out\n', omittedBytes: 0 },
      stderr: { text: 'err\n', omittedBytes: 0 },
    })
  })

  it('returns the signal that ended a program', async () => {
    expect(await run(['sh', '-c', 'kill -ABRT $$'])).toMatchObject({ exitCode: null, signal: 'SIGABRT' })
  })

  it('resolves a relative program from its directory, even with spaces in its name', async () => {
    mkdirSync(join(directory, 'my tools'))
    writeFileSync(join(directory, 'my tools', 'say'), '#!/bin/sh\necho "$1"\n', { mode: 0o755 })
    expect((await run(['./my tools/say', '$HOME; "x"'])).stdout.text).toBe('$HOME; "x"\n')
  })

  it("sets the directory in the environment to its own, not the parent's", async () => {
    const { stdout } = await run([process.execPath, '-p', 'process.env.PWD'])
    expect(stdout.text.trim()).toBe(directory)
  })

  it('does not pass on the variables of an outer agent', async () => {
    process.env.CLAUDECODE = '1'
    try {
      const result = await run(['sh', '-c', 'echo "[$CLAUDECODE] $GIVEN"'], { env: { GIVEN: 'yes' } })
      expect(result.stdout.text).toBe('[] yes\n')
    } finally {
      delete process.env.CLAUDECODE
    }
  })
})

describe('stdin', () => {
  const PROMPT = 'ä prompt\n'.repeat(100_000)

  it('arrives completely, even a megabyte of it', async () => {
    const script = `
      const chunks = []
      process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        const all = Buffer.concat(chunks)
        console.log(all.length, require('node:crypto').createHash('sha256').update(all).digest('hex'))
      })`
    const result = await run(node(script), { stdin: PROMPT })
    const hash = createHash('sha256').update(PROMPT).digest('hex')
    expect(result.stdout.text).toBe(`${Buffer.byteLength(PROMPT)} ${hash}\n`)
  })

  it('may be left unread by a program that continues', async () => {
    const result = await run(node('setTimeout(() => console.log("done"), 50)'), { stdin: PROMPT })
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' } })
  })

  it('may be closed by the program', async () => {
    const result = await run(['sh', '-c', 'exec <&-; echo done'], { stdin: PROMPT })
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n' } })
  })

  it('ends immediately if there is none', async () => {
    expect(await run(['cat'])).toMatchObject({ exitCode: 0, timedOut: false })
  })
})

describe('output', () => {
  it('is limited to head and tail, even for 50 MB of it', async () => {
    const script = `process.stdout.write('first\\n'); for (let i = 0; i < 50; i++) process.stdout.write('x'.repeat(1e6)); process.stdout.write('\\nlast')`
    const { exitCode, stdout } = await run(node(script), { maxBytes: 10_000 })
    expect(exitCode).toBe(0)
    expect(stdout.omittedBytes).toBe(50e6 + 'first\n\nlast'.length - 10_000)
    expect(stdout.text).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast$/)
  })

  it('is passed on as it is written, with characters intact that were split between chunks', async () => {
    const seen = join(directory, 'seen')
    const script = `
      const fs = require('node:fs')
      const bytes = Buffer.from('a€b')
      fs.writeSync(1, bytes.subarray(0, 2))
      while (!fs.existsSync(${JSON.stringify(seen)}));
      fs.writeSync(1, bytes.subarray(2))`
    const chunks: OutputChunk[] = []
    const { stdout } = await run(node(script), {
      onOutput: (chunk) => {
        chunks.push(chunk)
        writeFileSync(seen, '')
      },
    })
    expect(chunks.map(({ text }) => text)).toEqual(['a', '€b'])
    expect(stdout.text).toBe('a€b')
  })
})

describe('a timeout', () => {
  it('ends the program by SIGTERM', async () => {
    const result = await run(['sleep', '60'], { timeoutMs: 100 })
    expect(result).toMatchObject({ timedOut: true, cancelled: false, exitCode: null, signal: 'SIGTERM' })
    expect(result.durationMs).toBeGreaterThanOrEqual(99)
  })

  it('keeps the output until then', async () => {
    const result = await runUntilTimeout(['sh', '-c', 'echo so far; exec sleep 60'])
    expect(result).toMatchObject({ timedOut: true, stdout: { text: 'so far\n' } })
  })

  it('is reported even if the program then exits with 0', async () => {
    const script = `process.on('SIGTERM', () => process.exit(0)); ${FOR_EVER}; console.log('ready')`
    expect(await runUntilTimeout(node(script))).toMatchObject({ timedOut: true, exitCode: 0 })
  })

  it('kills a program that ignores SIGTERM after the grace period', async () => {
    const script = `process.on('SIGTERM', () => console.log('no')); ${FOR_EVER}; console.log('ready')`
    const result = await runUntilTimeout(node(script))
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGKILL', stdout: { text: 'ready\nno\n' } })
    expect(result.durationMs).toBeGreaterThanOrEqual(KILL_GRACE_MS)
  })
})

describe('a cancel', () => {
  it('before the start starts nothing', async () => {
    const result = await run(['touch', 'started'], { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ started: false, cancelled: true, failure: null })
    expect(existsSync(join(directory, 'started'))).toBe(false)
  })

  it('ends the program', async () => {
    expect(await runUntilCancelled(['sleep', '60'], () => mark.running().length > 0)).toMatchObject({
      started: true,
      cancelled: true,
      timedOut: false,
      signal: 'SIGTERM',
    })
  })

  it('cuts short the wait for processes that linger after the exit', async () => {
    const script = `${spawnStubborn('{ stdio: "inherit" }')}.unref()`
    const result = await runUntilCancelled(node(script), isReady)
    expect(result).toMatchObject({ cancelled: false, exitCode: 0 })
  })
})

// These tests find leftover processes through /proc, like the product.
describe.runIf(process.platform === 'linux')('the whole tree is killed', () => {
  it('if the program is stopped', async () => {
    const isStopped = (): boolean =>
      mark.running().some((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') T '))
    const result = await runUntilCancelled(['sh', '-c', 'kill -STOP $$'], isStopped)
    expect(result).toMatchObject({ cancelled: true })
  })

  it.each([
    ['that ignores SIGTERM and keeps stdout open', '{ stdio: "inherit" }'],
    ['in its own session', '{ stdio: "inherit", detached: true }'],
    [
      'in its own session without the marker',
      '{ stdio: "ignore", detached: true, env: { PULSEWARD_TEST: process.env.PULSEWARD_TEST } }',
    ],
  ])('with a grandchild %s', async (_name, options) => {
    const result = await runUntilCancelled(node(`${spawnStubborn(options)}; ${FOR_EVER}`), isReady)
    expect(result).toMatchObject({ cancelled: true, signal: 'SIGTERM' })
  })

  it.each([
    ['keeps stdout open', '{ stdio: "inherit" }'],
    ['has detached from everything except its environment', '{ stdio: "ignore", detached: true }'],
  ])('with a grandchild that lingers after a normal exit and %s', async (_name, options) => {
    const result = await run(node(`${spawnStubborn(options)}.unref(); console.log('done')`))
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, stdout: { text: 'done\n' } })
    expect(result.durationMs).toBeLessThan(LONG_MS)
  })

  it('but a grandchild that is about to end by itself is allowed to', async () => {
    const result = await run(['sh', '-c', '(sleep 0.05; echo last words > note) >/dev/null 2>&1 &'])
    expect(result.exitCode).toBe(0)
    expect(existsSync(join(directory, 'note'))).toBe(true)
  })
})

describe('a program that cannot be started', () => {
  const cases: [
    name: string,
    setUp: () => void,
    command: readonly string[],
    kind: string,
    message: RegExp,
  ][] = [
    [
      'not on PATH',
      () => {},
      ['pulseward-no-such-program'],
      'not-found',
      /^pulseward-no-such-program was not found on PATH\.$/,
    ],
    ['a missing path', () => {}, ['./agent'], 'not-found', /^\.\/agent does not exist\.$/],
    [
      'a missing interpreter',
      () => writeFileSync(join(directory, 'agent'), '#!/no/such/interpreter\n', { mode: 0o755 }),
      ['./agent'],
      'not-found',
      /interpreter/,
    ],
    [
      'not executable',
      () => writeFileSync(join(directory, 'agent'), 'x'),
      ['./agent'],
      'not-executable',
      /is not executable/,
    ],
    [
      'a folder',
      () => mkdirSync(join(directory, 'agent')),
      ['./agent'],
      'not-executable',
      /is not executable/,
    ],
    ['an empty name', () => {}, [''], 'spawn-failed', /could not be started/],
    ['no command', () => {}, [], 'spawn-failed', /could not be started/],
    ['a null character', () => {}, ['echo', 'a\0b'], 'spawn-failed', /could not be started/],
    ['an argument that is too long', () => {}, ['echo', 'x'.repeat(200_000)], 'spawn-failed', /E2BIG/],
  ]
  it.each(cases)('is a failure, not a rejection: %s', async (_name, setUp, command, kind, message) => {
    setUp()
    const result = await run(command)
    expect(result).toMatchObject({ started: false, exitCode: null, timedOut: false, cancelled: false })
    expect(result.failure).toEqual({ kind, message: expect.stringMatching(message) })
  })

  it('says so if the directory is missing', async () => {
    const result = await run(['true'], { directory: join(directory, 'gone') })
    expect(result.failure).toMatchObject({
      kind: 'bad-directory',
      message: expect.stringContaining('does not exist'),
    })
  })

  it('says so if the directory is a file', async () => {
    writeFileSync(join(directory, 'file'), '')
    chmodSync(join(directory, 'file'), 0o755)
    const result = await run(['true'], { directory: join(directory, 'file') })
    expect(result.failure).toMatchObject({ kind: 'bad-directory' })
  })
})
