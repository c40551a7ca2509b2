import type { Hint } from '../../core/contract/hint.ts'
import { applyClaim } from '../../core/intervention/detect.ts'
import { decideVerdict } from '../../core/judgement/verdict.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import { limitsInARow, taskHistory } from '../../core/record/fold-task-history.ts'
import { workedOnAfterRefusal } from '../../core/verification/after-refusal.ts'
import { findClaimedValues, mayMoveByItself } from '../../core/verification/comparisons.ts'
import { pathsOfChange, workOf } from '../../core/verification/difference.ts'
import { settleLeftEarlier } from '../../core/verification/left-earlier.ts'
import type {
  GateResult,
  JudgeResult,
  ProbeReading,
  VerdictDecision,
  VerdictInput,
} from '../../core/verification/types.ts'
import type { Outcome } from '../../core/vocabulary/outcome.ts'
import type { AgentRun } from '../ports/agent-runner.ts'
import { markRedAsInBase } from './base-reports.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { answeredChecks } from './earlier-answers.ts'
import { findFileClaims } from './find-file-claims.ts'
import { findSilenced, type SilencedCheck } from './find-silenced.ts'
import { findUnanswerable } from './find-unanswerable.ts'
import { restingFiles, stillStands } from './foundation.ts'
import { measure } from './measure.ts'
import { isStoppedByOperator } from './operator-stop.ts'
import { operatorsTask, taskText } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'

/** What the measurements of one attempt came to. */
export interface Verified {
  /** As it was before gates and judge were asked. */
  readonly input: VerdictInput
  readonly decision: VerdictDecision
  readonly gates: readonly GateResult[]
  /** What a verdict without a measurement rests on. */
  readonly restsOn: AttemptResult['restsOn']
  /** Checks that gave an answer, as they are recorded. */
  readonly answered: readonly string[]
  /** The judge's answer; `null` where it was not asked. */
  readonly judge: JudgeResult | null
}

/** Measures what the attempt left, asks gates and judge where they can still matter, and decides the verdict. */
export async function verifyAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<Verified> {
  const { input, silenced } = await measureAttempt(context, attempt, findings)
  const decided = await decide(context, attempt, input, findings)
  const { decision, gates, judge } = decided
  return {
    input,
    decision,
    gates,
    judge,
    restsOn: await restingFiles(context, attempt, input, decision),
    answered: answeredChecks(
      input,
      gates,
      [...silenced, ...decided.silenced].map(({ name }) => name),
    ),
  }
}

/** Everything that bears on the verdict and is read before gates and judge are asked. */
async function measureAttempt(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<{ readonly input: VerdictInput; readonly silenced: readonly SilencedCheck[] }> {
  const { task, hint, required, before } = attempt
  const { difference, run } = findings
  const work = workOf(difference, taskText(operatorsTask(context, task)))
  const claim = applyClaim(findings.claim, findings.isDirty, work)
  const paths = pathsOfChange(difference)
  const look = (one: Hint) => measure(context.verifier, one, claim, context.probeNames, paths, context.signal)
  const [after, criteria, fileClaims] = await Promise.all([
    look(hint),
    Promise.all(
      attempt.criteria.map(async (criterion) => ({ ...criterion, after: await look(criterion.hint) })),
    ),
    findFileClaims(context, attempt, findings, claim),
  ])
  const input = unlessStopped({
    required,
    outcome: outcomeOf(run),
    stoppedByOperator: isStoppedByOperator(context.signal),
    environmentFault: findings.environmentFault,
    claim,
    hint,
    before,
    after,
    difference,
    work,
    writesNoFiles: context.config.interventions.expectFiles === 'never' || task.writesNoFiles,
    criteria,
    fileClaims,
    gates: [],
    judge: null,
    limit: limitOf(context, attempt, findings),
  })
  const read = {
    ...input,
    fileClaims: settleLeftEarlier(input),
    again: await readAgain(context, input),
    stillStands: await stillStands(context, attempt, input, findings.tasksInRun),
  }
  const silenced = [
    ...(await findSilenced(context, attempt, findings, read)),
    ...(await findUnanswerable(context, attempt, findings, read)),
  ]
  return { input: { ...read, silenced: sentencesOf(silenced) }, silenced }
}

/** A refusal that did not stop the agent is nobody's fault. */
function unlessStopped(input: VerdictInput): VerdictInput {
  return input.outcome === 'denied' && workedOnAfterRefusal(input)
    ? { ...input, outcome: 'completed', environmentFault: null }
    : input
}

/** As long as what moves by the second takes to move. */
const MOVES_WITHIN_MS = 1100

/** Probes that a claim differs from are read once more: the world may have moved after the agent read them. */
async function readAgain(context: CycleContext, input: VerdictInput): Promise<readonly ProbeReading[]> {
  const differing = findClaimedValues(input).filter(({ relation }) => relation === 'differs')
  const names = [...new Set(differing.map(({ probe }) => probe))]
  if (names.length === 0) return []
  // What counts seconds by itself reads alike twice at once: it is given the time to show.
  if (mayMoveByItself(input, differing)) await context.ports.clock.sleep(MOVES_WITHIN_MS, context.signal)
  return context.verifier.readProbes(names, context.signal)
}

function limitOf(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  { run, wasAtWork }: RunFindings,
): VerdictInput['limit'] {
  if (run.outcome !== 'timeout' && run.outcome !== 'budget') return null
  return {
    atWork: wasAtWork || run.outcome === 'budget',
    inARow: limitsInARow(taskHistory(ports.ledger.state, task.id)),
    ...(run.dayLimit !== undefined && { ofTheDay: run.dayLimit }),
  }
}

/** Gates and the judge cost time: they are asked only where the verdict is not settled without them. */
async function decide(
  context: CycleContext,
  attempt: PlannedAttempt,
  input: VerdictInput,
  findings: RunFindings,
): Promise<Pick<Verified, 'decision' | 'gates' | 'judge'> & { readonly silenced: readonly SilencedCheck[] }> {
  const preliminary = decideVerdict(input)
  if (preliminary.verdict === null || preliminary.verdict === 'not_verified') {
    return { decision: preliminary, gates: [], judge: null, silenced: [] }
  }
  const [results, judge]: [readonly GateResult[], JudgeResult | null] = await Promise.all([
    context.verifier.runGates(context.signal),
    mayAskJudge(preliminary, attempt, input) ? askJudge(context, attempt, findings) : null,
  ])
  const stoppedByOperator = isStoppedByOperator(context.signal)
  if (!stoppedByOperator) await reportUnavailableGates(context, results)
  const gates = markRedAsInBase(results, await context.ports.custody.reports())
  const silenced = await findSilenced(context, attempt, findings, input, gates)
  const sentences = [...(input.silenced ?? []), ...sentencesOf(silenced)]
  const read = { ...input, gates, judge, silenced: sentences, stoppedByOperator }
  return { decision: decideVerdict(read), gates, judge, silenced }
}

function sentencesOf(silenced: readonly SilencedCheck[]): readonly string[] {
  return silenced.map(({ sentence }) => sentence)
}

/** Where only words are left, or a name that nobody has defined. */
function mayAskJudge(
  { scoresNothing }: VerdictDecision,
  { hint }: PlannedAttempt,
  { after }: VerdictInput,
): boolean {
  if (hint.kind === 'words') return !scoresNothing
  return hint.kind === 'probe' && after.probes.some(isUndefined)
}

function isUndefined(reading: ProbeReading): boolean {
  return reading.kind === 'unreadable' && !reading.configured
}

function askJudge(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
): Promise<JudgeResult | null> {
  return context.verifier.judge(
    {
      taskId: attempt.task.id,
      description: attempt.task.description,
      criteria: operatorsTask(context, attempt.task).criteria.map((criterion) => criterion.text),
      claim: findings.claim,
      difference: findings.difference,
      output: findings.run.stdout.text,
    },
    context.signal,
  )
}

async function reportUnavailableGates(context: CycleContext, gates: readonly GateResult[]): Promise<void> {
  for (const gate of gates) {
    if (gate.status !== 'unavailable') continue
    await context.ports.ledger.append({
      type: 'diagnostic-raised',
      code: 'gate-unavailable',
      taskId: null,
      message: `The gate \`${gate.command.join(' ')}\` could not run: ${gate.detail}`,
    })
  }
}

/** A run that was ended by the operator, or by us at shutdown: the environment is at fault. */
function outcomeOf(run: AgentRun): Outcome {
  return run.outcome === 'cancelled' ? 'stopped' : run.outcome
}
