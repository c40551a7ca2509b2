import { isReportFormat } from '../../core/reports/test-report.ts'
import type { JudgeResult, ProbeReading } from '../../core/verification/types.ts'
import type { CheckRoom, OpenedRoom } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import type { JudgeQuestion, Verifier } from '../ports/verifier.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { splitCommand } from './cel-functions.ts'
import { type CheckTurns, createCheckTurns } from './check-turns.ts'
import { evaluateExpression } from './expression.ts'
import { runGates } from './gates.ts'
import { askJudge } from './judge.ts'
import { reusing, type VerifierWorld, watched } from './program.ts'
import { readProbe } from './read-probe.ts'
import { canReport } from './reports/run-reported.ts'

type OfItsWorld = 'directory' | 'clock' | 'contain' | 'earlier' | 'resolveProgram' | 'watch' | 'reuse'

export interface VerifierOptions extends Pick<VerifierWorld, OfItsWorld> {
  /** The approved configuration. */
  readonly config: Pick<WorkspaceConfig, 'probes' | 'gates' | 'judge' | 'approvedCommands' | 'parallelChecks'>
  readonly log: Log
  /** Where each of its programs is recorded while it runs; omitted: nowhere. */
  readonly notes?: string
  /** Where its commands run; omitted: in the workspace. */
  readonly room?: CheckRoom
  /** Opens the tree for the judge; `null` or omitted: the workspace itself. */
  readonly openJudgeRoom?: (signal: AbortSignal) => Promise<OpenedRoom | null>
  /** Shared by all verifiers of the folder; omitted: the verifier has its own. */
  readonly turns?: CheckTurns
}

/**
 * Creates the verifier of one workspace. Everything runs outside the agent, with a timeout and limited output. Commands of
 * `succeeds("…")` have the timeout of gates, because they are similar.
 */
export function createVerifier(options: VerifierOptions): Verifier {
  const { config, log, openJudgeRoom } = options
  const world = worldOf(options)

  async function read(name: string, signal: AbortSignal): Promise<ProbeReading> {
    const probe = Object.hasOwn(config.probes, name) ? config.probes[name] : undefined
    if (probe === undefined)
      return {
        kind: 'unreadable',
        name,
        reason: `there is no probe ${name}`,
        configured: false,
        fault: 'contract',
      }
    const reading = await reusing(
      world,
      {
        kind: 'probe',
        name,
        command: probe.source.kind === 'command' ? probe.source.command : [],
        configured: probe,
        variables: probe,
        reads: probe.reads,
        isReport: () => isReportFormat(probe.parse),
        said: saidOf,
      },
      () => readProbe(name, probe, world, signal),
    )
    if (reading.kind === 'unreadable')
      log.warn('A probe could not be read', { probe: name, reason: reading.reason })
    return reading
  }

  return {
    readProbes: (names, signal) => Promise.all([...new Set(names)].map((name) => read(name, signal))),
    evaluate: (hint, readings, changedPaths, signal) =>
      evaluateExpression({
        source: hint.source,
        readings,
        changedPaths,
        world,
        approvedCommands: config.approvedCommands,
        commandTimeoutMs: config.gates.timeoutMs,
        signal,
      }),
    runGates: (signal, which, until) => runGates(config.gates, world, signal, which, until),
    canReport: async (command) => {
      const words = splitCommand(command.trim())
      const isApproved = config.approvedCommands.some((approved) => approved.trim() === command.trim())
      return isApproved && words !== null && canReport(world, words)
    },
    judge: async (question, signal) => {
      const { judge } = config
      if (judge === null) return null
      const result = await watched(world, { kind: 'judge', name: 'judge' }, async () =>
        judgeIn((await openJudgeRoom?.(signal)) ?? null, judge, question, world, signal),
      )
      if (result.kind === 'unavailable') log.warn('The judge gave no verdict', { reason: result.reason })
      return result
    },
  }
}

function worldOf({
  directory,
  config,
  clock,
  log,
  contain,
  notes,
  room,
  earlier,
  resolveProgram,
  watch,
  reuse,
  turns = createCheckTurns(),
}: VerifierOptions): VerifierWorld {
  return {
    directory,
    clock,
    turns: { of: turns, limit: config.parallelChecks ?? 1 },
    ...(contain !== undefined && { contain }),
    ...(notes !== undefined && { notes: { directory: notes, log } }),
    ...(room !== undefined && { room }),
    ...(earlier !== undefined && { earlier }),
    ...(resolveProgram !== undefined && { resolveProgram }),
    ...(watch !== undefined && { watch }),
    // Known answers are only about the current tree.
    ...(reuse !== undefined && room === undefined && earlier === undefined && { reuse }),
  }
}

/** Returns what a probe said; `null` if it has no answer or lacks variables, so that it is run again. */
function saidOf(reading: ProbeReading): string | null {
  if (reading.kind !== 'value' || reading.lacking !== undefined) return null
  return JSON.stringify([reading.value, reading.report])
}

/** The agent must not influence its judge: if its rules can't be restored, no judge is asked. */
async function judgeIn(
  opened: OpenedRoom | null,
  judge: NonNullable<VerifierOptions['config']['judge']>,
  question: JudgeQuestion,
  world: VerifierWorld,
  signal: AbortSignal,
): Promise<JudgeResult> {
  if (opened === null) return askJudge(judge, question, world, signal)
  if (opened.kind === 'none')
    return {
      kind: 'unavailable',
      reason: `the files that affect it were changed and cannot be shown as in the baseline: ${opened.reason}`,
    }
  try {
    return await askJudge(judge, question, { ...world, room: opened.room }, signal)
  } finally {
    await opened.room.close()
  }
}
