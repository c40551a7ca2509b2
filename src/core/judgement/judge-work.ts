import { findEvidence } from '../claims/evidence-references.ts'
import type { Hint } from '../contract/hint.ts'
import { applyClaim } from '../intervention/detect.ts'
import type { KnownByCheck } from '../reports/known-tests.ts'
import { workedOnAfterRefusal } from '../verification/after-refusal.ts'
import { asksForEmpty, asksForForm, mayCheckForm } from '../verification/blank-edit.ts'
import { findClaimedValues, mayMoveByItself } from '../verification/comparisons.ts'
import { workOf } from '../verification/difference.ts'
import { settleLeftEarlier } from '../verification/left-earlier.ts'
import type {
  CriterionInput,
  GateResult,
  JudgeResult,
  Measurement,
  ProbeReading,
  VerdictDecision,
  VerdictInput,
} from '../verification/types.ts'
import { type Asking, ask, together } from './asking.ts'
import { type BaselineReports, knownReports, markRedAsInBaseline } from './baseline-reports.ts'
import type { JudgedTask, RunFacts, WorkCase } from './case.ts'
import { findFileClaims } from './claimed-files.ts'
import { type Checked, conclude } from './conclude.ts'
import { measuring } from './hint-measuring.ts'
import type { WorkJudgement } from './judgement.ts'
import { findLacking, markLacking } from './lacking-variables.ts'
import { inspectOffered, type OfferedEvidence } from './offered-evidence.ts'
import { IN_PLACE, type Setting } from './questions.ts'
import { findSilenced, type SilencedCheck } from './silenced-checks.ts'
import { wordsOf } from './task-words.ts'
import { findUnanswerable } from './unanswerable-checks.ts'
import { agentsToCommit, askUncommitted } from './uncommitted.ts'
import { decideVerdict } from './verdict.ts'
import { findBasis, isStillVerified } from './verdict-basis.ts'
import { takeIntoCustody } from './work-custody.ts'

/** Everything measured for the verdict before gates and judge are asked. */
interface Measured {
  readonly input: VerdictInput
  readonly silenced: readonly SilencedCheck[]
  readonly evidence: OfferedEvidence
}

/** The procedure for work: measures what is claimed, asks gates and judge, then examines what affects the checks, and concludes. */
export function* judgeWork(subject: WorkCase): Asking<WorkJudgement> {
  const { input, silenced, evidence } = yield* measureWork(subject)
  const checked = yield* checkWork(subject, input, silenced)
  const restsOn = yield* findBasis(subject, checked.input, checked.decision)
  const { reports, known } = yield* recallTests(subject, checked.input)
  const base = knownReports(reports, measuredBefore(subject.task))
  const custody = yield* takeIntoCustody(subject, checked.input, checked.decision, { base, known })
  return conclude(subject, { measured: input, checked, evidence, restsOn, custody, reports })
}

function measuredBefore(task: JudgedTask | null): readonly (Measurement | null)[] {
  return task === null ? [] : [task.before, ...task.criteria.map((one) => one.before)]
}

/** Looks up what is known about earlier tests if there are reports, because only these are compared with the baseline's. */
function* recallTests(
  { task }: WorkCase,
  input: VerdictInput,
): Asking<{ readonly reports: BaselineReports; readonly known: KnownByCheck }> {
  const { after, criteria = [], gates } = input
  const measured = [after, ...criteria.map((one) => one.after), ...measuredBefore(task)]
  const isReported =
    gates.length > 0 ||
    measured.some(
      (one) =>
        one?.probes.some((reading) => reading.kind === 'value' && reading.report !== undefined) === true ||
        (one?.expression?.kind === 'value' && one.expression.reports !== undefined),
    )
  if (!isReported) return { reports: new Map(), known: new Map() }
  const [reports, known] = yield* together([ask({ kind: 'baseline-reports' }), ask({ kind: 'known-tests' })])
  return { reports, known }
}

/** The check to judge if there is no task: it measures nothing. */
const NOTHING_ASKED: Hint = { kind: 'words', source: '' }

function* measureWork(subject: WorkCase): Asking<Measured> {
  const { task, difference, policy, run } = subject
  const work = workOf(difference, task === null ? '' : wordsOf(task.asked))
  const claim = applyClaim(subject.claim, agentsToCommit(subject.uncommitted).length > 0, work)
  const hint = task?.hint ?? NOTHING_ASKED
  const look = (one: Hint) => ask(measuring(one, { claim, policy, sees: 'the-difference' }))
  const [after, measured, fileClaims, evidence] = yield* together([
    look(hint),
    together((task?.criteria ?? []).map((criterion) => look(criterion.hint))),
    findFileClaims(subject, claim, difference),
    inspectOffered(subject, findEvidence(subject.claim, run.output)),
  ])
  const input = unlessStopped({
    required: task?.required ?? true,
    outcome: run.outcome === 'cancelled' ? 'stopped' : run.outcome,
    stoppedByOperator: yield* ask({ kind: 'stopped', after: 'measuring' }),
    environmentFault: run.environmentFault,
    claim,
    hint,
    before: task?.before ?? null,
    after,
    difference,
    work,
    writesNoFiles: policy.interventions.expectFiles === 'never' || task?.writesNoFiles === true,
    criteria: (task?.criteria ?? []).map(
      (criterion, at): CriterionInput => ({ ...criterion, after: measured[at] ?? after }),
    ),
    fileClaims,
    gates: [],
    judge: null,
    limit: limitOf(subject),
    held: heldBy(subject),
    ...(claim !== subject.claim && { uncommitted: yield* askUncommitted(subject) }),
    ...(task === null && { hasNoTask: true }),
  })
  const asRead: VerdictInput = {
    ...input,
    fileClaims: settleLeftEarlier(input),
    again: yield* readAgain(input),
    stillStands: yield* isStillVerified(subject, input),
  }
  const lacking = yield* findLacking(subject, asRead)
  const read = lacking === undefined ? asRead : { ...asRead, lacking }
  const silenced = [
    ...(subject.noted?.silenced ?? []).map((sentence) => ({ name: '', sentence })),
    ...(yield* findSilenced(subject, read)),
    ...(yield* findUnanswerable(subject, read)),
  ]
  const judged = { ...read, silenced: sentencesOf(silenced) }
  const isBlank = yield* changedOnlyWhiteSpace(subject, judged)
  return { input: isBlank ? { ...judged, isBlank } : judged, silenced, evidence }
}

/**
 * Returns whether only meaningless white space, empty new files or file modes changed, if that matters: the check may have passed before,
 * and the task asks for nothing of the kind.
 */
function* changedOnlyWhiteSpace(subject: WorkCase, input: VerdictInput): Asking<boolean> {
  const { task } = subject
  const { work = input.difference, criteria = [] } = input
  const { executable: modes = [], otherwiseChanged = [] } = work
  const paths = [...work.modified, ...work.added]
  if (task === null || paths.length + modes.length === 0) return false
  const others = [work.deleted, work.renamed, work.ignored ?? [], work.unsure ?? [], work.asked ?? []]
  const isMore = others.some((list) => list.length > 0) || work.incomplete !== null
  const seen = new Set([...paths, ...modes])
  if (isMore || otherwiseChanged.some((path) => !seen.has(path))) return false
  const words = wordsOf(task.asked)
  const checks = [task.verify, ...criteria.map(({ hint }) => hint.source)]
  const asked = [words, ...checks].join('\n')
  if (asksForForm(words) || work.added.some((path) => asksForEmpty(asked, path))) return false
  const asIfBlank = decideVerdict({ ...input, isBlank: true })
  if (asIfBlank.verdict !== 'verified' || !asIfBlank.scoresNothing || decideVerdict(input).scoresNothing)
    return false
  const isBlank = paths.length === 0 ? [] : yield* ask({ kind: 'blank-edits', paths })
  return paths.every((_path, at) => isBlank[at] === true) && !(yield* isMadeToPass(subject, input))
}

/** Returns whether a check that may look at white space fails on the files from before the work, or can't be run on them. */
function* isMadeToPass({ policy }: WorkCase, { hint, criteria = [] }: VerdictInput): Asking<boolean> {
  const hints = [hint, ...criteria.map((one) => one.hint)].filter(({ source }) => mayCheckForm(source))
  if (hints.length === 0) return false
  const moment = { kind: 'before-work' } as const
  const setting: Setting = { room: [], earlier: moment }
  if ((yield* ask({ kind: 'files-before', moment })) === null) return true
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return true
  const before = yield* together(
    hints.map((one) => ask(measuring(one, { policy, sees: 'the-difference', setting }))),
  )
  return before.some(({ expression }) => expression?.kind !== 'value' || !expression.holds)
}

function heldBy({ noted }: WorkCase): VerdictInput['held'] {
  return noted === undefined || noted.held.length === 0 ? null : { reasons: noted.held }
}

/** Ignores a denied request that did not stop the agent, because it is not a fault. */
function unlessStopped(input: VerdictInput): VerdictInput {
  return input.outcome === 'denied' && workedOnAfterRefusal(input)
    ? { ...input, outcome: 'completed', environmentFault: null }
    : input
}

/** Long enough for a value that changes every second to change. */
const MOVES_WITHIN_MS = 1100

/** Rereads probes that a claim differs from: the value may have changed after the agent read it. */
function* readAgain(input: VerdictInput): Asking<readonly ProbeReading[]> {
  const differing = findClaimedValues(input).filter(({ relation }) => relation === 'differs')
  const names = [...new Set(differing.map(({ probe }) => probe))]
  if (names.length === 0) return []
  // A counter of seconds would read the same twice in quick succession, so it gets time to change.
  const pauseMs = mayMoveByItself(input, differing) ? MOVES_WITHIN_MS : 0
  return yield* ask({ kind: 'probes', names, pauseMs, setting: IN_PLACE, turn: 2 })
}

function limitOf({ run, history }: WorkCase): VerdictInput['limit'] {
  const { outcome, wasAtWork, dayLimit }: RunFacts = run
  if (outcome !== 'timeout' && outcome !== 'budget') return null
  return {
    atWork: wasAtWork || outcome === 'budget',
    inARow: history.limitsInARow,
    ...(dayLimit !== null && { ofTheDay: dayLimit }),
  }
}

/** Asks gates and judge, but only if the verdict is not settled without them, because they take time. */
function* checkWork(
  subject: WorkCase,
  input: VerdictInput,
  found: readonly SilencedCheck[],
): Asking<Checked> {
  const preliminary = decideVerdict(input)
  const isStopped = input.stoppedByOperator === true
  if (preliminary.verdict === null || preliminary.verdict === 'not_verified')
    return { input, decision: preliminary, silenced: found, isStopped }
  const [results, judge] = yield* together([runGates(subject), askJudge(subject, input, preliminary)])
  const stoppedByOperator = yield* ask({ kind: 'stopped', after: 'checks' })
  const known = results.length > 0 ? yield* ask({ kind: 'baseline-reports' }) : new Map()
  const gates = yield* markLacking(subject, markRedAsInBaseline(results, known))
  const silenced = [...found, ...(yield* findSilenced(subject, input, gates))]
  const read = { ...input, gates, judge, silenced: sentencesOf(silenced), stoppedByOperator }
  return { input: read, decision: decideVerdict(read), silenced, isStopped: stoppedByOperator }
}

function* runGates({ policy }: WorkCase): Asking<readonly GateResult[]> {
  if (policy.gates.commands.length === 0) return []
  return yield* ask({ kind: 'gates', setting: IN_PLACE, turn: 1 })
}

/** Asks the judge if only words, or an undefined name, are left to decide. */
function* askJudge(
  { task, policy, claim, difference }: WorkCase,
  { hint, after }: VerdictInput,
  { scoresNothing }: VerdictDecision,
): Asking<JudgeResult | null> {
  if (task === null || policy.judge === null) return null
  const isOpen =
    hint.kind === 'words' ? !scoresNothing : hint.kind === 'probe' && after.probes.some(isUndefined)
  if (!isOpen) return null
  const criteria = task.asked.criteria.map(({ text }) => text)
  return yield* ask({
    kind: 'judge',
    taskId: task.id,
    description: task.description,
    criteria,
    claim,
    difference,
  })
}

function isUndefined(reading: ProbeReading): boolean {
  return reading.kind === 'unreadable' && !reading.configured
}

function sentencesOf(silenced: readonly SilencedCheck[]): readonly string[] {
  return silenced.map(({ sentence }) => sentence)
}
