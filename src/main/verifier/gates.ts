import type { GateResult } from '../../core/verification/types.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { lastWords, runProgram, type VerifierWorld, whyNoResult } from './program.ts'

/** What shells answer where the program named in a script is missing or may not be executed. */
const SHELL_COULD_NOT_RUN = new Set([126, 127])

/**
 * Runs the workspace's quality checks, one after the other: a build and a test run in the same folder write the same files, and
 * the machine's cores are the agent's as well. All are run, also after one failed, so that the operator sees them all.
 *
 * `unavailable` is a gate that could not be run or did not end in time: it says nothing about the agent's work.
 */
export async function runGates(
  gates: WorkspaceConfig['gates'],
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<readonly GateResult[]> {
  const results: GateResult[] = []
  for (const command of gates.commands) results.push(await runGate(command, gates.timeoutMs, world, signal))
  return results
}

async function runGate(
  command: readonly string[],
  timeoutMs: number,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<GateResult> {
  const run = await runProgram(world, command, timeoutMs, signal)
  const { exitCode } = run
  const base = { command, exitCode, durationMs: Math.round(run.durationMs) }
  const trouble = whyNoResult(run, timeoutMs)
  if (trouble !== null) return { ...base, status: 'unavailable', detail: trouble }
  if (exitCode !== null && SHELL_COULD_NOT_RUN.has(exitCode))
    return { ...base, status: 'unavailable', detail: `a program it runs is missing: ${lastWords(run)}` }
  const ending = exitCode === null ? `it was ended by ${run.signal ?? 'a signal'}; ` : ''
  return { ...base, status: exitCode === 0 ? 'passed' : 'failed', detail: ending + lastWords(run) }
}
