import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
  /** Prints "thinking" and goes on for ever; this one and all below make the file `ready` in the workspace once they do. */
  | 'hang'
  | 'ignore-sigterm'
  | 'exit-zero-on-sigterm'
  /** Prints "first", 50 MB, "last". */
  | 'flood'
  /** Goes on for ever, with a child that ignores SIGTERM and holds stdout. */
  | 'hang-with-stubborn-child'
  /** Goes on for ever, with such a child in a session of its own. */
  | 'hang-with-escaped-child'
  /** Exits with 0 and leaves such a child behind. */
  | 'leave-child-behind'

interface AgentSetup {
  readonly killGraceMs: number
  /** To be added to the agent's environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A runner whose agent behaves so. `program` stands in for the agent's program where the test names another. */
export type MakeRunner = (behaviour: Behaviour, setup: AgentSetup, program?: string) => AgentRunner

const LONG_MS = 20_000
const KILL_GRACE_MS = 300

/** The behaviour that every runner of agents must show, whatever it speaks with them. */
export function describeAgentRunner(name: string, makeRunner: MakeRunner): void {
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
      return makeRunner(behaviour, { killGraceMs: KILL_GRACE_MS, env: mark.env }, program).run({
        attemptId: '1-0-abcd',
        prompt: 'Do it.',
        directory,
        timeoutMs: LONG_MS,
        logFile: logFile(),
        signal: new AbortController().signal,
        onOutput: () => {},
        ...request,
      })
    }

    /** Cancels the run once the agent says that it is ready. */
    async function runUntilReady(behaviour: Behaviour): Promise<AgentRun> {
      const controller = new AbortController()
      const result = run(behaviour, { signal: controller.signal })
      await until(() => statSync(join(directory, 'ready'), { throwIfNoEntry: false }) !== undefined)
      controller.abort()
      return result
    }

    it.each([0, 10, 100_000])('hands over the whole prompt, %i lines of it', async (lines) => {
      const prompt = `Füge hinzu.\n${'a line of the prompt\n'.repeat(lines)}`
      const result = await run('echo-prompt', { prompt })
      const hash = createHash('sha256').update(prompt).digest('hex')
      expect(result.stdout.text).toContain(`${Buffer.byteLength(prompt)} ${hash}`)
      expect(result).toMatchObject({ outcome: 'completed', exitCode: 0, signal: null, mend: null })
    })

    it('does not wait for an agent that never reads its prompt', async () => {
      const result = await run('finish-without-reading', { prompt: 'x'.repeat(1_000_000) })
      expect(result).toMatchObject({ outcome: 'completed', exitCode: 0 })
      expect(result.stdout.text).toContain('All done.')
    })

    it('runs in the workspace', async () => {
      expect((await run('print-directory')).stdout.text).toContain(directory)
    })

    it('passes on the environment that is set up, and nothing of an outer agent', async () => {
      process.env.CLAUDE_CODE_ENTRYPOINT = 'cli'
      try {
        const { stdout } = await run('print-environment')
        expect(stdout.text).toContain(mark.env.PULSEWARD_TEST)
        expect(stdout.text).not.toContain('CLAUDE_CODE_ENTRYPOINT')
      } finally {
        delete process.env.CLAUDE_CODE_ENTRYPOINT
      }
    })

    it('calls a crash an error, with its exit code', async () => {
      const result = await run('crash')
      expect(result).toMatchObject({ outcome: 'error', exitCode: 3, mend: null })
      expect(result.stderr.text).toContain('it went wrong')
    })

    it('bounds the output in memory and on disk to head and tail', async () => {
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

    it('hands out output as it comes, and keeps it in a file for its owner alone', async () => {
      const texts: string[] = []
      const controller = new AbortController()
      const result = await run('hang', {
        signal: controller.signal,
        onOutput: ({ stream, text }) => {
          texts.push(`${stream}: ${text}`)
          controller.abort()
        },
      })
      expect(texts.join('')).toContain('stdout: thinking')
      expect(result.outcome).toBe('cancelled')
      expect(readFileSync(logFile(), 'utf8')).toContain('thinking')
      expect(statSync(logFile()).mode & 0o777).toBe(0o600)
    })

    it('goes on where its output cannot be kept', async () => {
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
    ])('ends the whole tree when it is cancelled: %s', async (behaviour) => {
      expect(await runUntilReady(behaviour)).toMatchObject({ outcome: 'cancelled' })
    })

    it('starts nothing when it was cancelled before', async () => {
      const result = await run('hang', { signal: AbortSignal.abort() })
      expect(result).toMatchObject({ outcome: 'cancelled', exitCode: null })
    })

    it('ends what the agent leaves behind, and keeps its result', async () => {
      expect(await run('leave-child-behind')).toMatchObject({ outcome: 'completed', exitCode: 0 })
    })

    it('is unavailable where the program is not on PATH, with the mend', async () => {
      expect(await run('hang', {}, 'pulseward-no-such-agent')).toMatchObject({
        outcome: 'unavailable',
        exitCode: null,
        reason: 'pulseward-no-such-agent was not found on PATH.',
        mend: expect.stringMatching(/^Install pulseward-no-such-agent, or change/),
      })
    })

    it('is unavailable where the program may not be executed', async () => {
      writeFileSync(join(directory, 'agent'), '#!/bin/sh\n', { mode: 0o644 })
      expect(await run('hang', {}, './agent')).toMatchObject({
        outcome: 'unavailable',
        mend: expect.stringContaining('chmod +x'),
      })
    })

    it('is unavailable where the workspace is gone', async () => {
      rmSync(directory, { recursive: true })
      expect(await run('hang')).toMatchObject({ outcome: 'unavailable', mend: expect.any(String) })
    })
  })
}
