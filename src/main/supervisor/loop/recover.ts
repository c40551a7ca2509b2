import { NO_CLAIM } from '../../../core/claims/types.ts'
import type { ScoringRules } from '../../../core/configuration/scoring.ts'
import { DEFAULT_SCORING } from '../../../core/configuration/scoring.ts'
import { timestamp } from '../../../core/pacing/schedule.ts'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import type { AttemptSummary, RunningCycle } from '../../../core/record/state.ts'
import { pointsFor } from '../../../core/scoring/points.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { readUsed, type UsedWhenCutOff } from '../run/keep-used.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

const CUT_OFF = "Pulseward was interrupted during this attempt, so it wasn't judged."
const KILLED = "Pulseward was killed during this attempt, so it wasn't judged."
const KILLED_BESIDE =
  "Pulseward was killed during this attempt, so it wasn't judged. The agent was in its sandbox and can't have done it."
const OUT_OF_MEMORY =
  "Pulseward was killed during this attempt because the machine ran out of memory, so it wasn't judged."
const KILLED_AGAIN =
  'Pulseward was killed again within a day while an agent ran without a sandbox. This attempt counts as not verified: killing the supervisor must not pay.'
/** The reasons that older versions recorded: the whole text for the first kind, the beginning for the second. */
const RECORDED_KILLED: readonly (string | undefined)[] = [
  KILLED,
  'Pulseward was ended from outside while the agent ran, and the machine went on; the attempt was not judged.',
]
const RECORDED_AGAIN = [
  KILLED_AGAIN,
  'Pulseward was ended from outside again',
  'Pulseward was ended from outside while the agent ran, as at',
]
const WINDOW_MS = 24 * 60 * 60_000

/** How the supervisor ended. `killed`: by something that may have been the agent; `again`: killed, and not for the first time. */
type Death =
  | { readonly kind: 'cut-off' | 'beside' | 'out-of-memory' | 'killed' }
  /** `uncounted`: how many earlier attempts were treated as accidents. */
  | { readonly kind: 'again'; readonly uncounted: number }

/**
 * Closes what a crash left open: the running attempt ends without a verdict (the environment stopped it, and nothing is scored),
 * and the cycle is marked as interrupted.
 *
 * We can't know who killed the supervisor, so an agent without a sandbox must not gain from it. Once within a day counts as an
 * accident. The second time, both attempts count as not verified, which costs as much as failing twice, and the operator is
 * notified. There is no penalty if the machine went down, memory ran out, or a sandboxed agent can't have done it. Attempts that
 * the operator overruled no longer count. Does nothing if nothing is open.
 */
export async function recoverInterrupted(
  ports: WorkspacePorts,
  zone: string,
  config: WorkspaceConfig | null = null,
): Promise<void> {
  const { running, contract } = ports.ledger.state
  if (running === null) return
  const death = await howItDied(ports, running, config)
  const events: EventBody[] = []
  for (const [index, attempt] of [running.attempt, ...(running.others ?? [])].entries()) {
    if (attempt === null) continue
    // Earlier deaths that counted as accidents are charged once, not to each attempt that ran.
    const counted = death.kind === 'again' && index > 0 ? { ...death, uncounted: 0 } : death
    const task = contract?.tasks.find((candidate) => candidate.id === attempt.taskId)
    events.push({
      type: 'attempt-finished',
      result: interruptedAttempt(
        running,
        attempt,
        task?.description ?? '',
        task?.verify ?? '',
        timestamp(ports.clock.nowMs(), zone),
        counted,
        config?.scoring ?? DEFAULT_SCORING,
        await readUsed(ports, attempt.attemptId),
      ),
    })
  }
  events.push({ type: 'cycle-finished', cycle: running.cycle, ending: 'interrupted' })
  await ports.ledger.append(...events)
  if (death.kind === 'again' && running.attempt !== null) notifyOfKill(ports, running.attempt.taskId)
  ports.log.warn('The last run of the supervisor was cut off; its open cycle was closed', {
    workspace: ports.id,
    cycle: running.cycle,
    how: death.kind,
  })
}

async function howItDied(
  ports: WorkspacePorts,
  { attempt }: RunningCycle,
  config: WorkspaceConfig | null,
): Promise<Death> {
  if (attempt === null || ports.diedAlone !== true) return { kind: 'cut-off' }
  // An agent without a sandbox can change the records about its processes, but not what was approved.
  const isContained = config !== null && (await ports.reachOfAgent(config)) !== 'everywhere'
  if (isContained && ports.leftContained === true) return { kind: 'beside' }
  const oomKills = ports.oomKills?.() ?? null
  if (attempt.oomKills !== undefined && oomKills !== null && oomKills > attempt.oomKills)
    return { kind: 'out-of-memory' }
  const since = ports.clock.nowMs() - WINDOW_MS
  const earlier = ports.ledger.state.attempts.filter(
    (attempt) =>
      attempt.overruled === null && Date.parse(attempt.startedAt) >= since && killedIn(attempt) !== null,
  )
  if (earlier.length === 0) return { kind: 'killed' }
  // Newest first: deaths before the last counted one were counted with it.
  const counted = earlier.findIndex((attempt) => killedIn(attempt) === 'again')
  return { kind: 'again', uncounted: counted < 0 ? earlier.length : counted }
}

function killedIn({ interrupted, reasons: [reason] }: AttemptSummary): 'killed' | 'again' | null {
  if (interrupted !== undefined)
    return interrupted === 'killed' || interrupted === 'again' ? interrupted : null
  if (RECORDED_AGAIN.some((beginning) => reason?.startsWith(beginning) === true)) return 'again'
  return RECORDED_KILLED.includes(reason) ? 'killed' : null
}

const REASONS: Readonly<Record<Death['kind'], string>> = {
  'cut-off': CUT_OFF,
  beside: KILLED_BESIDE,
  'out-of-memory': OUT_OF_MEMORY,
  killed: KILLED,
  again: KILLED_AGAIN,
}

function reasonOf(death: Death): string {
  if (death.kind !== 'again' || death.uncounted === 0) return REASONS[death.kind]
  const others = death.uncounted === 1 ? 'does the one' : `do the ${death.uncounted}`
  return `${KILLED_AGAIN} So ${others} before it. If it was you, overrule this attempt.`
}

function notifyOfKill({ notifier, id, name }: WorkspacePorts, taskId: string): void {
  notifier.notify({
    key: `killed:${id}:${taskId}`,
    about: 'trouble',
    workspaceId: id,
    taskId,
    title: `Pulseward was ended again while ${taskId} ran`,
    body: `It happened in ${name}, twice within a day, and the machine went on. Something ends the supervisor: the agent, or you. The attempts count as not verified; overrule the last one if it was you.`,
  })
}

function interruptedAttempt(
  running: RunningCycle,
  attempt: NonNullable<RunningCycle['attempt']>,
  description: string,
  verify: string,
  now: string,
  death: Death,
  rules: ScoringRules,
  used: UsedWhenCutOff | null,
): AttemptResult {
  const counts = death.kind === 'again'
  const judged = {
    verdict: 'not_verified',
    groundTruthContradiction: false,
    required: false,
    fault: 'agent',
  } as const
  return {
    attemptId: attempt.attemptId,
    cycle: running.cycle,
    taskId: attempt.taskId,
    description,
    verify,
    // An agent is only charged with what it used.
    agentId: used?.agentId ?? '',
    startedAt: attempt.startedAt,
    durationMs: Math.max(0, Date.parse(now) - Date.parse(attempt.startedAt)),
    costs: null,
    timeoutSeconds: attempt.timeoutSeconds,
    outcome: 'error',
    exitCode: null,
    signal: null,
    required: false,
    verdict: counts ? judged.verdict : null,
    groundTruthContradiction: false,
    skipped: false,
    fault: counts ? judged.fault : 'environment',
    reasons: [reasonOf(death)],
    comparisons: [],
    remedy: null,
    heldBefore: false,
    points: counts ? pointsFor(judged, rules) * (1 + death.uncounted) : 0,
    claim: { ...NO_CLAIM, values: {}, files: [], evidence: [], notes: [] },
    filesChanged: [],
    filesChangedCount: 0,
    interventions: [],
    complexity: 'medium',
    timeoutReason: '',
    feedbackShown: false,
    evidenceCount: 0,
    criteria: { met: 0, total: 0 },
    gateUnavailable: false,
    tasksInRun: 1,
    activity: used?.activity ?? null,
    reconciliation: null,
    findings: [],
    restsOn: [],
    answered: [],
    held: null,
    interrupted: death.kind,
  }
}
