import type { AgentActivity, AgentEventOf } from '../activity/types.ts'
import { findTestRuns, runsTests, type TestRunClaim } from '../claims/prose-tests.ts'
import type { EvidenceContradiction, EvidenceRow, Reconciliation } from './evidence-row.ts'
import {
  commandsOf,
  endsWithTests,
  hasOpaqueCalls,
  hasRun,
  mayRunTests,
  unwrapped,
} from './recorded-calls.ts'
import type { Sources } from './sources.ts'
import type { GateResult } from './types.ts'

const MAX_COMMAND = 120

/** Compares the test runs that the agent claims with the commands its program reports and the gates. */
export function reconcileTests(sources: Sources): Reconciliation {
  const { claim, output, activity, gates } = sources
  const runs = findTestRuns(claim, output)
  const first = runs.find(({ isPassed }) => isPassed) ?? runs[0]
  if (first === undefined) return { rows: [], contradictions: [] }
  const saysDone = claim.status !== 'failed' && claim.status !== 'skipped'
  const contradiction = saysDone && activity !== null ? contradictionOf(runs, activity, sources) : null
  const row: EvidenceRow = {
    kind: 'test-run',
    subject: first.command ?? 'tests',
    claimed: first.words,
    reported: reportedRun(sources),
    snapshot: null,
    measured: gates.length === 0 ? null : gates.slice(0, 5).map(sayGate).join('; '),
    agrees: contradiction === null ? null : false,
  }
  return { rows: [row], contradictions: contradiction === null ? [] : [contradiction] }
}

function contradictionOf(
  runs: readonly TestRunClaim[],
  activity: AgentActivity,
  { reach }: Sources,
): EvidenceContradiction | null {
  if (!reach.commands) return null
  const ran = commandsOf(activity).filter(({ status }) => hasRun(status))
  const able = ran.filter(({ command }) => mayRunTests(command))
  const [claimed] = runs
  if (claimed === undefined || hasOpaqueCalls(activity)) return null
  if (able.length === 0) {
    return {
      kind: 'test-run-unseen',
      subject: claimed.command ?? '',
      reason: `says “${claimed.words}”, but its program reports no command that could have run tests`,
    }
  }
  const passed = runs.find(({ isPassed }) => isPassed)
  const failed = lastFailedRun(able)
  if (passed === undefined || failed === null) return null
  return {
    kind: 'command-failed',
    subject: shorten(unwrapped(failed.command)),
    reason: `says “${passed.words}”, but \`${shorten(unwrapped(failed.command))}\`, the last command that ran tests, ended with exit code ${failed.exitCode}`,
  }
}

/** Returns the last test run if it failed and nothing after it may have rerun the tests. */
function lastFailedRun(able: readonly AgentEventOf<'command'>[]): AgentEventOf<'command'> | null {
  const last = able.at(-1)
  const hasFailed = last !== undefined && last.exitCode !== null && last.exitCode !== 0
  return hasFailed && endsWithTests(last.command) ? last : null
}

function reportedRun({ activity, reach }: Sources): string | null {
  if (activity === null) return null
  const commands = commandsOf(activity)
  const last = commands.findLast(({ command }) => runsTests(command) && mayRunTests(command))
  if (last === undefined) {
    if (!reach.commands) return null
    return commands.length === 0 ? 'no command' : 'no test command'
  }
  const command = shorten(unwrapped(last.command))
  if (!hasRun(last.status)) return `${command} refused`
  return last.exitCode === null ? command : `${command}: exit code ${last.exitCode}`
}

function sayGate({ command, status, exitCode }: GateResult): string {
  const how = {
    passed: 'passed',
    failed: `failed with exit code ${exitCode ?? 'unknown'}`,
    unavailable: 'could not run',
  }
  return `gate ${shorten(command.join(' '))} ${how[status]}`
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_COMMAND ? line : `${line.slice(0, MAX_COMMAND - 1)}…`
}
