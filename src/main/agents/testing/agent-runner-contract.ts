import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import type { AgentRequest, AgentRun, AgentRunner } from '../../ports/agent-runner.ts'
import { createTestMark, type TestMark, until } from '../../process/testing/running-processes.ts'

/** What the agent behind a runner does in one test. */
type Behaviour =
  /** Prints the prompt's length in bytes and its SHA-256. */
  | 'echo-prompt'
  | 'finish-without-reading'
  /** Prints its environment as JSON. */
  | 'print-environment'
  | 'print-directory'
  /** Prints "it went wrong" on stderr and exits with 3. */
  | 'crash'
  /** Prints "thinking" and runs forever. This behavior and all below create the file `ready` in the workspace once they do. */
  | 'hang'
  | 'ignore-sigterm'
  | 'exit-zero-on-sigterm'
  /** Prints "first", 50 MB, "last". */
  | 'flood'
  /** Runs forever, with a child that ignores SIGTERM and holds stdout. */
  | 'hang-with-stubborn-child'
  /** Runs forever, with such a child in its own session. */
  | 'hang-with-escaped-child'
  /** Exits with 0 and leaves such a child running. */
  | 'leave-child-behind'
  // For agents that report their own work:
  /** Says "All done.", ends its turn and runs forever. */
  | 'linger'
  /** Is denied writing hello.txt, says "All done." and ends its turn. */
  | 'be-denied'
  /** Writes hello.txt, runs `npm test`, which prints "EXIT_SIGNAL: true" and exits with 1, and says "I am not done yet." */
  | 'edit-and-test'
  /** Its service answers that it is not logged in (401), or sends too many requests (429). */
  | 'not-logged-in'
  | 'over-quota'
  /** Says "I will keep monitoring." and exits with 0 without having ended its turn. */
  | 'stop-halfway'
  /** Says "a new session" with the session's id, or "resumed" in a resumed one. */
  | 'name-session'

interface AgentSetup {
  readonly killGraceMs: number
  /** Added to the agent's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Names of inherited variables it gets even if they look like secrets. */
  readonly passEnvironment: readonly string[]
}

/** What a program reports about its own work. */
export interface ReportingFeatures {
  /** Reports refused tools. */
  readonly denials: boolean
  /** Reports commands' exit codes. */
  readonly exitCodes: boolean
  /** True if its process is started, fed and ended by code that another program's tests cover, so only its reports are tested. */
  readonly likeAnother?: boolean
}

/** Creates a runner whose agent behaves that way. `program` replaces the agent's program if the test names another. */
export type MakeRunner = (behaviour: Behaviour, setup: AgentSetup, program?: string) => AgentRunner

const LONG_MS = 20_000
const KILL_GRACE_MS = 300

/** Returns what the agent said, whichever way its runner reports it. */
function spoken({ said, stdout }: AgentRun): string {
  return said ?? stdout.text
}

/** Tests the behavior that every agent runner must have, whatever protocol it uses. */
export function describeAgentRunner(
  name: string,
  makeRunner: MakeRunner,
  /** Omitted for a program that only prints text. */
  reporting: ReportingFeatures | null = null,
): void {
  describe(name, () => {
    let directory: string
    let data: string
    let mark: TestMark

    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), 'pulseward-workspace-'))
      data = mkdtempSync(join(tmpdir(), 'pulseward-data-'))
      mark = createTestMark()
    })

    afterEach(() => {
      const left = mark.running()
      mark.endAll()
      for (const folder of [directory, data]) rmSync(folder, { recursive: true, force: true })
      expect(left, 'processes left running').toEqual([])
    })

    const logFile = (): string => join(data, 'attempts', '1-0-abcd.log')

    function run(
      behaviour: Behaviour,
      request: Partial<AgentRequest> = {},
      program?: string,
    ): Promise<AgentRun> {
      return runnerOf(behaviour, [], program).run(requestOf(request))
    }

    function runnerOf(behaviour: Behaviour, passEnvironment: readonly string[] = [], program?: string) {
      const setup = { killGraceMs: KILL_GRACE_MS, env: mark.env, passEnvironment }
      return makeRunner(behaviour, setup, program)
    }

    function requestOf(request: Partial<AgentRequest> = {}): AgentRequest {
      return {
        attemptId: '1-0-abcd',
        prompt: 'Do it.',
        directory,
        timeoutMs: LONG_MS,
        logFile: logFile(),
        signal: new AbortController().signal,
        onOutput: () => {},
        ...request,
      }
    }

    /** Cancels the run once the agent says that it is ready. */
    async function runUntilReady(behaviour: Behaviour): Promise<AgentRun> {
      const controller = new AbortController()
      const result = run(behaviour, { signal: controller.signal })
      await until(() => statSync(join(directory, 'ready'), { throwIfNoEntry: false }) !== undefined)
      controller.abort()
      return result
    }

    if (reporting?.likeAnother !== true) describeProcess()
    if (reporting === null) return
    describe('that reports its work', () => {
      it('counts only the agent’s own words as its words', async () => {
        const { said, outcome } = await run('edit-and-test')
        expect(said?.trim()).toBe('I am not done yet.')
        expect(outcome).toBe('completed')
      })

      it('reports edits and commands as they come, and their results', async () => {
        const events: AgentEvent[] = []
        const { activity } = await run('edit-and-test', { onEvent: (event) => events.push(event) })
        const exitCode = reporting.exitCodes ? 1 : null
        for (const told of [activity?.calls ?? [], events]) {
          expect(told).toContainEqual(
            expect.objectContaining({
              kind: 'edit',
              path: expect.stringMatching(/hello\.txt$/),
              status: 'succeeded',
            }),
          )
          expect(told).toContainEqual(
            expect.objectContaining({ kind: 'command', command: 'npm test', exitCode }),
          )
        }
        expect(activity).toMatchObject({ sessionId: expect.any(String), final: { status: 'success' } })
      })

      it.runIf(reporting.denials)('reports a refused tool as denied, with the missing grant', async () => {
        const { outcome, reason, remedy, activity } = await run('be-denied')
        expect({ outcome, reason }).toEqual({
          outcome: 'denied',
          reason: expect.stringContaining('denied a tool: edit'),
        })
        expect(remedy).toMatch(/^(?:Add|Allow) /)
        expect(activity?.calls).toContainEqual(
          expect.objectContaining({ kind: 'permission', tool: 'edit', decision: 'denied', grant: 'edit' }),
        )
      })

      it.each<[Behaviour, RegExp, RegExp]>([
        ['not-logged-in', /not logged in/, /^Run `|^Log in/],
        ['over-quota', /rate limit or quota/, /^Wait until/],
      ])(
        'distinguishes a fault of the environment from one of the agent: %s',
        async (behaviour, reason, remedy) => {
          expect(await run(behaviour)).toMatchObject({
            outcome: 'unavailable',
            reason: expect.stringMatching(reason),
            remedy: expect.stringMatching(remedy),
          })
        },
      )

      it('says what was withheld when the agent is not logged in', async () => {
        process.env.PULSEWARD_TEST_TOKEN = 'hunter2'
        try {
          const { remedy } = await run('not-logged-in')
          expect(remedy).toMatch(/PULSEWARD_TEST_TOKEN.*pass_env/)
        } finally {
          delete process.env.PULSEWARD_TEST_TOKEN
        }
      })

      it('kills an agent that lingers after its turn, and keeps its result', async () => {
        expect(await run('linger')).toMatchObject({ outcome: 'completed', exitCode: null, signal: null })
      })

      it('does not count a turn that never ended as finished, whatever the exit code', async () => {
        expect(await run('stop-halfway')).toMatchObject({
          outcome: 'error',
          exitCode: 0,
          reason: expect.stringMatching(/without its last event|before it answered/),
        })
      })

      it('continues in the same session, and keeps the output of both turns', async () => {
        const runner = runnerOf('name-session')
        const first = await runner.run(requestOf({ keepSession: true }))
        const second = await runner.followUp?.(requestOf({ prompt: 'Go on.' }))
        await runner.release?.('1-0-abcd')
        expect(first.said).toContain('a new session')
        expect(second).toMatchObject({ outcome: 'completed', said: expect.stringContaining('resumed') })
        expect(second?.said).toContain(first.activity?.sessionId)
        const kept = readFileSync(logFile(), 'utf8')
        expect(kept.indexOf('a new session')).toBeGreaterThanOrEqual(0)
        expect(kept.indexOf('resumed')).toBeGreaterThan(kept.indexOf('a new session'))
      })

      it('has no session to continue if there was no run', async () => {
        const run = await runnerOf('name-session').followUp?.(requestOf())
        expect(run).toMatchObject({ outcome: 'unavailable' })
      })
    })

    function describeProcess(): void {
      it.each([0, 10, 100_000])('passes on the whole prompt, with %i lines', async (lines) => {
        const prompt = `Füge hinzu.\n${'a line of the prompt\n'.repeat(lines)}`
        const result = await run('echo-prompt', { prompt })
        const hash = createHash('sha256').update(prompt).digest('hex')
        expect(spoken(result)).toContain(`${Buffer.byteLength(prompt)} ${hash}`)
        expect(result).toMatchObject({ outcome: 'completed', exitCode: 0, signal: null, remedy: null })
      })

      it('does not wait for an agent that never reads its prompt', async () => {
        const result = await run('finish-without-reading', { prompt: 'x'.repeat(1_000_000) })
        expect(result).toMatchObject({ outcome: 'completed', exitCode: 0 })
        expect(spoken(result)).toContain('All done.')
      })

      it('runs in the workspace', async () => {
        expect(spoken(await run('print-directory'))).toContain(directory)
      })

      it('passes on the configured environment, and nothing from an outer agent', async () => {
        process.env.CLAUDE_CODE_ENTRYPOINT = 'cli'
        try {
          const printed = spoken(await run('print-environment'))
          expect(printed).toContain(mark.env.PULSEWARD_TEST)
          expect(printed).not.toContain('CLAUDE_CODE_ENTRYPOINT')
        } finally {
          delete process.env.CLAUDE_CODE_ENTRYPOINT
        }
      })

      it('withholds secrets from the agent, except named ones, and says which', async () => {
        process.env.PULSEWARD_TEST_TOKEN = 'hunter2'
        process.env.PULSEWARD_TEST_API_KEY = 'hunter3'
        try {
          const run = await runnerOf('print-environment', ['PULSEWARD_TEST_API_KEY']).run(requestOf())
          const printed = spoken(run)
          expect(printed).toContain('hunter3')
          expect(printed).not.toContain('hunter2')
          expect(run.withheld).toContain('PULSEWARD_TEST_TOKEN')
          expect(run.withheld).not.toContain('PULSEWARD_TEST_API_KEY')
        } finally {
          delete process.env.PULSEWARD_TEST_TOKEN
          delete process.env.PULSEWARD_TEST_API_KEY
        }
      })

      it('reports a crash as an error, with its exit code', async () => {
        const result = await run('crash')
        expect(result).toMatchObject({ outcome: 'error', exitCode: 3, remedy: null })
        expect(result.stderr.text).toContain('it went wrong')
      })

      it('limits the output in memory and on disk to head and tail', async () => {
        const { outcome, stdout } = await run('flood')
        expect(outcome).toBe('completed')
        expect(stdout.text.length).toBeLessThan(1_100_000)
        expect(stdout.omittedBytes).toBeGreaterThan(48_000_000)
        const kept = readFileSync(logFile(), 'utf8')
        expect(kept.length).toBeLessThan(1_100_000)
        for (const text of [stdout.text, kept]) {
          expect(text.slice(0, 1000)).toContain('first')
          expect(text).toMatch(/x\n\[… \d+ bytes left out …\]\nx/)
          expect(text.slice(-1000)).toContain('last')
        }
      })

      it('passes output on as it arrives, and stores it in a file that only its owner can read', async () => {
        const texts: string[] = []
        const controller = new AbortController()
        const result = await run('hang', {
          signal: controller.signal,
          onOutput: ({ stream, text }) => {
            if (stream === 'stdout') texts.push(text)
            if (texts.join('').includes('thinking')) controller.abort()
          },
        })
        expect(texts.join('')).toContain('thinking')
        expect(result.outcome).toBe('cancelled')
        expect(readFileSync(logFile(), 'utf8')).toContain('thinking')
        expect(statSync(logFile()).mode & 0o777).toBe(0o600)
      })

      it('continues if its output cannot be stored', async () => {
        writeFileSync(join(data, 'attempts'), 'a file where the folder should be')
        expect(await run('finish-without-reading')).toMatchObject({ outcome: 'completed' })
      })

      it('says that the timeout ended it, with the limit', async () => {
        const result = await run('hang', { timeoutMs: 1500 })
        expect(result).toMatchObject({ outcome: 'timeout', reason: expect.stringContaining('1.5 s') })
        expect(result.durationMs).toBeGreaterThanOrEqual(1499)
      })

      it.each<Behaviour>([
        'hang',
        'ignore-sigterm',
        'exit-zero-on-sigterm',
        'hang-with-stubborn-child',
        'hang-with-escaped-child',
      ])('kills the whole process tree when it is canceled: %s', async (behaviour) => {
        expect(await runUntilReady(behaviour)).toMatchObject({ outcome: 'cancelled' })
      })

      it('starts nothing if it was canceled beforehand', async () => {
        const result = await run('hang', { signal: AbortSignal.abort() })
        expect(result).toMatchObject({ outcome: 'cancelled', exitCode: null })
      })

      it('kills what the agent leaves running, and keeps its result', async () => {
        expect(await run('leave-child-behind')).toMatchObject({ outcome: 'completed', exitCode: 0 })
      })

      it('is unavailable if the program is not on PATH, with a fix', async () => {
        expect(await run('hang', {}, 'pulseward-no-such-agent')).toMatchObject({
          outcome: 'unavailable',
          exitCode: null,
          reason: 'pulseward-no-such-agent was not found on PATH.',
          remedy: expect.stringMatching(/^Install pulseward-no-such-agent, or change/),
        })
      })

      it('is unavailable if the program is not executable', async () => {
        writeFileSync(join(directory, 'agent'), '#!/bin/sh\n', { mode: 0o644 })
        expect(await run('hang', {}, './agent')).toMatchObject({
          outcome: 'unavailable',
          remedy: expect.stringContaining('chmod +x'),
        })
      })

      it('is unavailable if the workspace is gone', async () => {
        rmSync(directory, { recursive: true })
        expect(await run('hang')).toMatchObject({ outcome: 'unavailable', remedy: expect.any(String) })
      })
    }
  })
}
