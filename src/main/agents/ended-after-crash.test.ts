import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../ports/log.ts'
import { processStart } from '../process/process-identity.ts'
import { endLeftovers } from '../process/running-note.ts'
import { createTestMark, type TestMark, until } from '../process/testing/running-processes.ts'
import { agentConfig } from './testing/agent-config.ts'

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }
const runnerModule = pathToFileURL(join(import.meta.dirname, 'command-runner.ts')).href

let directory: string
let mark: TestMark

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pulseward-crash-'))
  mark = createTestMark()
})
afterEach(() => {
  const left = mark.running()
  mark.endAll()
  rmSync(directory, { recursive: true, force: true })
  expect(left, 'processes left running').toEqual([])
})

/** Keeps the agent's shell alive until its supervisor has ended: a living supervisor would kill what the shell leaves behind. */
const UNTIL_ALONE = 'exec tail -s 0.01 -f --pid $PPID /dev/null'

/** Starts a supervisor in a separate process that runs `script` as its agent. */
function startSupervisor(script: string): ChildProcess {
  const source = `
    import { createCommandRunner } from ${JSON.stringify(runnerModule)}
    const log = { info() {}, warn() {}, error() {} }
    const clock = { monotonicMs: () => performance.now(), sleep: (ms) => new Promise((done) => setTimeout(done, ms)) }
    const config = ${JSON.stringify(agentConfig({ command: ['sh', '-c', script] }))}
    await createCommandRunner(config, { clock, log }).run({
      attemptId: '1', prompt: '', directory: ${JSON.stringify(directory)}, timeoutMs: 60_000,
      logFile: ${JSON.stringify(join(directory, 'attempts', '1.log'))}, signal: new AbortController().signal, onOutput() {},
    })`
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, ...mark.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function killSupervisor(supervisor: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => supervisor.once('exit', resolve))
  supervisor.kill('SIGKILL')
  await ended
}

const attempts = (): string => join(directory, 'attempts')
/** Returns whether the agent is running and its supervisor has noted it: the agent may be the faster of the two. */
const isReady = (): boolean =>
  existsSync(join(directory, 'ready')) &&
  (statSync(join(attempts(), '1.pid'), { throwIfNoEntry: false })?.size ?? 0) > 0

describe.runIf(process.platform === 'linux')('endLeftovers', () => {
  it.each([
    ['the agent and its children', 'trap "" TERM; sleep 60 & touch ready; wait'],
    ['children whose parent has ended', `setsid sleep 60 >/dev/null 2>&1 & touch ready; ${UNTIL_ALONE}`],
  ])('kills what a killed supervisor left running: %s', async (_name, script) => {
    const supervisor = startSupervisor(script)
    await until(isReady)
    await killSupervisor(supervisor)
    if (script.endsWith(UNTIL_ALONE)) await until(() => processStart(notedPid()) === null)
    expect(mark.running().length).toBeGreaterThan(0)
    expect(await endLeftovers(attempts(), silent)).toEqual({ ended: 1, diedAlone: true, isContained: false })
    expect(mark.running()).toEqual([])
    expect(readdirSync(attempts())).toEqual(['1.log'])
  })

  it('spares a process that has the noted pid but a different start time', async () => {
    const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    const pid = other.pid as number
    try {
      const start = processStart(pid)?.replace(/\d+$/, (ticks) => String(Number(ticks) - 1))
      note('1', { pid, start, marker: crypto.randomUUID() })
      expect(await endLeftovers(directory, silent)).toMatchObject({ ended: 0 })
      expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain('sleep')
    } finally {
      other.kill('SIGKILL')
    }
  })

  it.each([
    ['truncated', '{"pid": 12'],
    ['not ours', '{"pid": 1, "start": null, "marker": "x"}'],
    ['for every process', '{"pid": -1, "start": null, "marker": ""}'],
  ])('removes a note that is %s, and kills nothing', async (_name, text) => {
    writeFileSync(join(directory, '1.pid'), text)
    expect(await endLeftovers(directory, silent)).toMatchObject({ ended: 0 })
    expect(readdirSync(directory)).toEqual([])
  })

  it('does nothing if there is no folder', async () => {
    expect(await endLeftovers(join(directory, 'gone'), silent)).toEqual({
      ended: 0,
      diedAlone: false,
      isContained: false,
    })
  })
})

function notedPid(): number {
  return JSON.parse(readFileSync(join(attempts(), '1.pid'), 'utf8')).pid
}

function note(name: string, content: unknown): void {
  writeFileSync(join(directory, `${name}.pid`), JSON.stringify(content))
}
