import picomatch from 'picomatch'
import type { Hint } from '../../core/contract/hint.ts'
import type { Held } from '../../core/custody/held.ts'
import {
  decideCustody,
  filesOf,
  type GuardedChange,
  needsRoom,
  type RoomRun,
  restsOnDependencies,
  runsChecks,
  type SortedChanges,
  sortChanges,
} from '../../core/judgement/decide-custody.ts'
import { decideVerdict } from '../../core/judgement/verdict.ts'
import type { RaisedIntervention } from '../../core/record/events.ts'
import { passesAllOf } from '../../core/reports/lost-names.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import { pathsOfChange } from '../../core/verification/difference.ts'
import type {
  CriterionInput,
  Measurement,
  ProbeReading,
  VerdictDecision,
  VerdictInput,
} from '../../core/verification/types.ts'
import type { BaseDifference, CheckRoom, ReachingSource } from '../ports/custody.ts'
import { baseReports, learnGreen, lostTests, markRedAsInBase } from './base-reports.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import { measure } from './measure.ts'
import { operatorsTask } from './operators-task.ts'
import type { RunFindings } from './run-findings.ts'
import type { Verified } from './verify-attempt.ts'

/** What custody adds to a verdict. */
export interface CustodyFindings {
  readonly held: Held | null
  readonly raised: readonly RaisedIntervention[]
  /** Changed paths that the task may change. */
  readonly allowed: readonly string[]
}

/** Files named in one event. */
const MAX_FILES = 20

/**
 * Runs the checks again as in the base where what they go by was changed, and holds what only holds with the change. Where nothing
 * guarded differs, the verdict stays as it was measured and nothing more is run.
 */
export async function takeIntoCustody(
  context: CycleContext,
  attempt: PlannedAttempt,
  findings: RunFindings,
  verified: Verified,
): Promise<Verified & CustodyFindings> {
  const input: VerdictInput = { ...verified.input, gates: verified.gates, judge: verified.judge }
  const task = operatorsTask(context, attempt.task)
  const differences = await seenSince(context, input, verified.decision, findings)
  const changes = sortChanges(changesOf(attempt, input, differences), {
    text: [task.description, ...task.criteria.map(({ text }) => text)].join('\n'),
    hint: attempt.task.verify,
    mayChange: mayChangeBy(task.mayChange),
  })
  const differing = [...changes.instruments, ...changes.protectedFiles]
  const disputed = differing.map(({ path }) => path)
  const base = await baseReports(context, attempt)
  const room = needsRoom(input, verified.decision, changes)
    ? await runInRoom(context, input, disputed, base, verified.decision.verdict === 'verified')
    : null
  const reaching = runsChecks(input) ? disputedSources(findings, task.mayChange) : []
  // Where the task may change its tests, fewer of them may be the work.
  const lost = changes.allowed.length > 0 ? [] : lostTests(base, input)
  const { decision, held, isRigged } = decideCustody({
    attemptId: attempt.attemptId,
    inPlace: verified.decision,
    changes,
    room,
    reaching,
    earlier: earlierOf(context, [...differing, ...reaching]),
    lostTests: lost,
    dependencies: await touchedDependencies(context, input, verified.decision, task.mayChange),
    outside: await touchedOutside(context, input, verified.decision, findings),
  })
  const found = [
    ...(isRigged ? [rigged(filesOf(differing), room)] : []),
    ...(hasLost(held, lost, verified.decision) ? [testsLost(lost)] : []),
  ]
  if (decision.verdict === 'verified') await learnGreen(context, input)
  const raised = context.config.interventions.enabled ? found : []
  return { ...verified, decision, held, raised, allowed: allowedPaths(changes, findings, task.mayChange) }
}

function allowedPaths(
  { allowed }: SortedChanges,
  { reaching }: RunFindings,
  globs: readonly string[],
): readonly string[] {
  const isAllowed = mayChangeBy(globs)
  return [...allowed, ...reaching.filter(({ path }) => isAllowed(path))].map(({ path }) => path)
}

function disputedSources({ reaching }: RunFindings, globs: readonly string[]): readonly ReachingSource[] {
  const isAllowed = mayChangeBy(globs)
  return reaching.filter(({ path }) => !isAllowed(path))
}

/** Looked at only where it can matter: a verdict that is good, or a check that gave no answer. */
async function touchedDependencies(
  { ports }: CycleContext,
  input: VerdictInput,
  decision: VerdictDecision,
  globs: readonly string[],
): Promise<readonly string[]> {
  if (!restsOnDependencies(decision) || !runsChecks(input)) return []
  const isAllowed = mayChangeBy(globs)
  return (await ports.custody.dependencies()).filter((path) => !isAllowed(path))
}

/** Who was contained could not write there: what changed meanwhile is the operator's. */
async function touchedOutside(
  { ports }: CycleContext,
  input: VerdictInput,
  decision: VerdictDecision,
  { run }: RunFindings,
): Promise<readonly string[]> {
  if (run.containedBy !== undefined || !restsOnDependencies(decision) || !runsChecks(input)) return []
  return ports.custody.outside()
}

/** A glob means what it means in `changed()`: a folder counts with what is below it. */
export function mayChangeBy(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''))
  return picomatch([...patterns, ...patterns.map((pattern) => `${pattern}/**`)], { dot: true })
}

/**
 * What differs, with what the checks themselves left: code of the agent's ran with them, and may have laid hands on a file that the
 * next one executes, or put one back that it had changed.
 */
async function seenSince(
  { ports }: CycleContext,
  input: VerdictInput,
  decision: VerdictDecision,
  { differences }: RunFindings,
): Promise<readonly BaseDifference[]> {
  if (decision.verdict !== 'verified' || !runsChecks(input)) return differences
  const since = new Map((await ports.custody.look()).map((one) => [one.path, one]))
  const before = differences.map((one) => {
    const again = since.get(one.path)
    if (again === undefined) return one
    since.delete(one.path)
    const executedBy = [...new Set([...one.executedBy, ...again.executedBy])]
    return { ...one, isProtected: one.isProtected || again.isProtected, executedBy }
  })
  return [...before, ...since.values()]
}

/** What differs, as it bears on this attempt: a script of a probe that its hint does not ask is none of its instruments. */
function changesOf(
  { hint, criteria }: PlannedAttempt,
  input: VerdictInput,
  differences: readonly BaseDifference[],
): readonly GuardedChange[] {
  const measured = [input, ...(input.criteria ?? [])].flatMap(({ after }) => after.probes)
  const probes = new Set(measured.map(({ name }) => `probe ${name}`))
  const runsCommands = [hint, ...criteria.map((one) => one.hint)].some(
    (one) => one.kind === 'expression' && one.functions.includes('succeeds'),
  )
  return differences.map(({ executedBy, ...difference }) => ({
    ...difference,
    isInstrument: executedBy.some((check) => probes.has(check) || (check === 'command' && runsCommands)),
    isGates: executedBy.includes('gate'),
  }))
}

/** The unanswered attempt that left all that is disputed, where this one touched none of it. */
function earlierOf(
  { ports }: CycleContext,
  disputed: readonly { readonly attemptId: string | null }[],
): string | null {
  const authors = new Set(disputed.map(({ attemptId }) => attemptId))
  const [author] = authors
  if (authors.size !== 1 || author === undefined || author === null) return null
  const waiting = ports.ledger.state.held.find(({ attemptId }) => attemptId === author)
  return waiting === undefined ? null : (waiting.with ?? waiting.attemptId)
}

async function runInRoom(
  context: CycleContext,
  input: VerdictInput,
  disputed: readonly string[],
  base: ReadonlyMap<string, TestReport>,
  holdsInPlace: boolean,
): Promise<RoomRun> {
  const run = await decideIn(context, input, disputed, base)
  if (run.kind === 'none' || run.decision.verdict === 'verified' || !holdsInPlace) return run
  // Does the room itself stand in the way: a port that is taken, another path? The agent's own files, in such a room, tell.
  const control = await decideIn(context, input, [], base)
  if (control.kind === 'none' || control.decision.verdict === 'verified') return run
  const why = control.decision.reasons[0] ?? 'no reason given'
  return {
    kind: 'none',
    reason: `in a room with the files as the attempt left them it does not hold either, so a room tells nothing: ${why}`,
  }
}

async function decideIn(
  context: CycleContext,
  input: VerdictInput,
  files: readonly string[],
  base: ReadonlyMap<string, TestReport>,
): Promise<RoomRun> {
  const opened = await context.ports.custody.openRoom(files, context.signal)
  if (opened.kind === 'none') return opened
  try {
    return { kind: 'ran', decision: decideVerdict(await measureIn(opened.room, context, input, base)) }
  } finally {
    await opened.room.close()
  }
}

/**
 * The same measurements, the commands run in the room; what no command measures is as it was. What a test report counts is as it was
 * too where the room's run passed every test of the base: new tests are left out of the room, and may be what the task asks for.
 */
async function measureIn(
  room: CheckRoom,
  { ports, config, probeNames, signal }: CycleContext,
  input: VerdictInput,
  base: ReadonlyMap<string, TestReport>,
): Promise<VerdictInput> {
  const verifier = ports.createVerifier(config, room)
  const paths = pathsOfChange(input.difference)
  const look = async (hint: Hint, inPlace: Measurement): Promise<Measurement> => {
    const measured = await measure(verifier, hint, input.claim, probeNames, paths, signal)
    const probes = measured.probes.map((reading) => countedInPlace(reading, inPlace.probes, base))
    const isSame = probes.every((reading, at) => reading === measured.probes[at])
    if (isSame || hint.kind !== 'expression') return { ...measured, probes }
    return { probes, expression: await verifier.evaluate(hint, probes, paths, signal) }
  }
  const after = await look(input.hint, input.after)
  const criteria: CriterionInput[] = []
  for (const criterion of input.criteria ?? [])
    criteria.push({ ...criterion, after: await look(criterion.hint, criterion.after) })
  const measured = { ...input, after, criteria, again: [], gates: [] }
  // Gates were perhaps not asked in place, because the agent's own form of the check had refused it.
  const gates = decideVerdict(measured).verdict === 'not_verified' ? [] : await verifier.runGates(signal)
  return { ...measured, gates: markRedAsInBase(gates, base) }
}

function countedInPlace(
  inRoom: ProbeReading,
  inPlace: readonly ProbeReading[],
  base: ReadonlyMap<string, TestReport>,
): ProbeReading {
  const known = base.get(`probe ${inRoom.name}`)
  if (inRoom.kind !== 'value' || inRoom.report === undefined || known === undefined) return inRoom
  const there = inPlace.find(({ name }) => name === inRoom.name)
  const isCounted = there?.kind === 'value' && there.report !== undefined
  return isCounted && passesAllOf(known, inRoom.report) ? there : inRoom
}

/**
 * Whether the attempt is told that it lost tests: also where more is wrong with how it came out green. A run that did not is told why
 * (one that did not even begin executed nothing), and what an earlier attempt lost was told then.
 */
function hasLost(held: Held | null, lost: readonly string[], inPlace: VerdictDecision): boolean {
  if (held === null || lost.length === 0 || held.because === 'earlier') return false
  return held.because === 'tests' || inPlace.verdict === 'verified'
}

function testsLost(tests: readonly string[]): RaisedIntervention {
  return {
    event_type: 'tests_lost',
    severity: 'warning',
    details: { tests: tests.slice(0, MAX_FILES), tests_count: tests.length },
  }
}

function rigged(files: readonly string[], room: RoomRun | null): RaisedIntervention {
  return {
    event_type: 'check_rigged',
    severity: 'critical',
    details: {
      files: files.slice(0, MAX_FILES),
      files_count: files.length,
      in_place: 'holds',
      clean_room: room?.kind === 'ran' ? room.decision.reasons.slice(0, 3) : [],
      note: 'The check holds with these files as the attempt left them, and does not as in the base. The work is held.',
    },
  }
}
