import type { Hint } from '../contract/hint.ts'
import { askedRenames, followsAsked, formerName } from '../custody/asked-renames.ts'
import type { BaseDifference, ReachingSource } from '../custody/baseline-difference.ts'
import { asksForStubs, isReadable, isStub, shadowedBy } from '../custody/compiled.ts'
import { followsRenames, type Renamed } from '../custody/followed-renames.ts'
import type { Held } from '../custody/held.ts'
import { mayChangeBy } from '../custody/may-change.ts'
import { followsMove, namesBeforeMove } from '../custody/moved-tests.ts'
import { isPlainTest } from '../custody/plain-tests.ts'
import { protectionBy } from '../custody/protected.ts'
import { mayReach } from '../custody/reaching.ts'
import { SUCCESS } from '../custody/reaching-signs.ts'
import { testsToRemove } from '../custody/removed-tests.ts'
import type { RaisedIntervention } from '../record/events.ts'
import type { TestsRun } from '../reports/known-tests.ts'
import { executedNames, passesAllOf } from '../reports/lost-names.ts'
import { isOnlyRenamed } from '../reports/only-renamed.ts'
import { type TestReport, withoutExitCode } from '../reports/test-report.ts'
import { askedWords, namedEnd } from '../text/names-path.ts'
import { changedPaths } from '../verification/difference.ts'
import type { VerdictDecision, VerdictInput } from '../verification/types.ts'
import { type Asking, ask, together } from './asking.ts'
import {
  areExecutedRenamed,
  lostIn,
  namesOf,
  type RememberedTests,
  type Reports,
  renamedIn,
  reportsOfInput,
  testRuns,
} from './baseline-reports.ts'
import type { AskedTask, WorkCase } from './case.ts'
import { commandCheck, probeCheck } from './check-names.ts'
import {
  type CustodyInput,
  decideCustody,
  filesOf,
  type GuardedChange,
  isOnlyShort,
  type LossExcuse,
  needsRoom,
  type RoomRun,
  restsOnDependencies,
  runsChecks,
  type SortedChanges,
  sortChanges,
} from './decide-custody.ts'
import { isByExitCodeAlone, isOfProgram, isReportedButForStyle } from './exit-code-alone.ts'
import { lackingChecks } from './lacking-checks.ts'
import { findOwnTests, settingOf, withOwnTests } from './own-tests.ts'
import type { Setting } from './questions.ts'
import { measureIn } from './room-measuring.ts'
import { type Disputed, isBaselineStale } from './stale-baseline.ts'
import { passesUnseen } from './uncommitted-checks.ts'
import { findUnreachedEnds } from './unreached-ends.ts'
import { decideVerdict } from './verdict.ts'

/** A verdict after custody. */
export interface CustodyFindings {
  readonly decision: VerdictDecision
  readonly held: Held | null
  readonly raised: readonly RaisedIntervention[]
  /** Changed paths that the task may change. */
  readonly allowed: readonly string[]
  /** True if the files of the baseline still don't pass together, see `isBaselineStale`. */
  readonly isStale: boolean
  /** For each check with a report: what it executed in place, and the known names that it did not. */
  readonly tests: ReadonlyMap<string, TestsRun>
}

/** Maximum number of files named in one event. */
const MAX_FILES = 20
/** Maximum number of files searched for renamed tests. */
const MAX_SOURCES = 200

/**
 * Reruns the checks as in the baseline if something that affects them was changed, and holds work that passes only with the change. If no
 * guarded file differs, keeps the verdict as measured in place and asks nothing more. `remembered`: the known tests.
 */
export function* takeIntoCustody(
  given: WorkCase,
  input: VerdictInput,
  inPlace: VerdictDecision,
  remembered: RememberedTests,
): Asking<CustodyFindings> {
  const subject = withRemovedTests(given)
  const { task, policy, reaching } = subject
  const mayChange = mayChangeBy(task?.asked.mayChange ?? [])
  const renames = renamesOf(subject, input, remembered.base)
  const changes = yield* findDisputed(subject, input, inPlace, renames)
  const differing = [...changes.instruments, ...changes.protectedFiles]
  // A check that lacks variables proves nothing in a clean room either, and earns no points.
  const isLacking = lackingChecks(input).length > 0 && inPlace.verdict !== 'verified'
  const { ran, room, moves } =
    !isLacking && needsRoom(input, inPlace, changes)
      ? yield* runInRooms({ subject, input, inPlace, remembered, changes, differing })
      : NO_ROOM
  const sources = runsChecks(input)
    ? withMeaning(reaching, remembered, input).filter(({ path }) => !mayChange(path))
    : []
  const tests = testRuns(remembered, input)
  const lost = lostIn(tests)
  const excuses =
    inPlace.verdict === 'verified'
      ? yield* findExcuses({ subject, input, remembered, tests, room, changes, renames, moves }, lost)
      : NO_EXCUSE
  const known = {
    attemptId: subject.id,
    inPlace,
    changes,
    room,
    reaching: sources,
    earlier: earlierOf(subject, [...differing, ...sources]),
    lostTests: lost,
    ...excuses,
  }
  const bare = decideCustody({ ...known, dependencies: [] })
  // If the work is held already, no further reason is needed.
  const further =
    !isLacking && bare.held === null && restsOnDependencies(bare.decision) && runsChecks(input)
      ? yield* findFurther(subject, input, bare.decision, {
          room: settingOf(subject, differing).room,
          base: remembered.base,
        })
      : NOTHING_FURTHER
  const { decision, held, isRigged } = decideCustody({ ...known, ...further })
  const found = [
    ...(isRigged && !refusesLooks(input, differing, ran) ? [rigged(filesOf(differing), room)] : []),
    ...(excuses.excuse === null && hasLost(held, lost, inPlace) ? [testsLost(lost)] : []),
  ]
  const allowed = [...changes.allowed, ...reaching.filter(({ path }) => mayChange(path))]
  return {
    decision,
    held,
    raised: policy.interventions.enabled ? found : [],
    isStale: excuses.isStale,
    allowed: [...allowed.map(({ path }) => path), ...(changes.shown ?? []), ...pathsOf(moves)],
    tests,
  }
}

/** The runs of the checks in clean rooms, and the moved tests with which they pass. */
interface RoomRuns {
  readonly ran: RoomRun | null
  /** The run that decides. */
  readonly room: RoomRun | null
  readonly moves: readonly Renamed[]
}
const NO_ROOM: RoomRuns = { ran: null, room: null, moves: [] }

interface RoomCase {
  readonly subject: WorkCase
  readonly input: VerdictInput
  readonly inPlace: VerdictDecision
  readonly remembered: RememberedTests
  readonly changes: SortedChanges
  readonly differing: readonly GuardedChange[]
}

function* runInRooms(given: RoomCase): Asking<RoomRuns> {
  const { subject, input, inPlace, remembered, changes, differing } = given
  const passes = inPlace.verdict === 'verified'
  const first = yield* runWithoutMoved(subject, input, differing, remembered.base, passes)
  const ran = passes ? yield* withSkippedReports(given, first) : first
  const moves = passes ? movesOf(subject, changes.protectedFiles) : []
  const followed = moves.length > 0 ? yield* runWithMoved({ ...given, moves }, ran) : null
  if (followed !== null) return { ran, room: followed, moves }
  const isEnough = passesButForNewTests(given, ran, ran !== first)
  return { ran, room: isEnough ? { ...ran, decision: inPlace } : ran, moves: [] }
}

/**
 * Adds the reports of commands that the room's run did not reach: where a formatter, which is asked first, refuses the look of the
 * baseline's tests, they tell whether these tests pass.
 */
function* withSkippedReports({ subject, input, differing }: RoomCase, run: RoomRun): Asking<RoomRun> {
  if (run.kind === 'none' || run.decision.verdict === 'verified' || !differing.every(isChangedTest))
    return run
  const { expression } = input.after
  const commands = Object.keys(expression?.kind === 'value' ? (expression.reports ?? {}) : {}).filter(
    (command) => run.reports?.has(commandCheck(command)) !== true,
  )
  if (commands.length === 0) return run
  const answers = yield* ask({ kind: 'commands', commands, setting: settingOf(subject, differing), turn: 1 })
  const found = commands.flatMap((command, at): [string, TestReport][] => {
    const answer = answers[at]
    const report = answer?.kind === 'value' ? answer.reports?.[command] : undefined
    return report === undefined ? [] : [[commandCheck(command), report]]
  })
  return { ...run, reports: new Map([...(run.reports ?? []), ...found]) }
}

/** Lets the task delete the tests that it asks to remove. */
function withRemovedTests(subject: WorkCase): WorkCase {
  const { task, difference, policy } = subject
  if (task === null) return subject
  const { description, mayChange } = task.asked
  const isProtected = protectionBy(policy.interventions.protected)
  const removed = testsToRemove({ description, verify: task.verify }, difference, isProtected)
  if (removed.length === 0) return subject
  return { ...subject, task: { ...task, asked: { ...task.asked, mayChange: [...mayChange, ...removed] } } }
}

/** Says why missing tests, or failures with the baseline's files, are not held against the work. */
type Excuses = Required<Pick<CustodyInput, 'excuse' | 'isStale'>>
const NO_EXCUSE: Excuses = { excuse: null, isStale: false }

function* findExcuses(losses: Losses, lost: readonly string[]): Asking<Excuses> {
  if (lost.length > 0) return { ...NO_EXCUSE, excuse: yield* findExcuse(losses) }
  return { ...NO_EXCUSE, isStale: yield* isBaselineStale(losses) }
}

/**
 * Returns whether only a check that asks for more than passing tests fails in the clean room, such as a coverage threshold, or a
 * formatter or linter that asks for other tests: only tests are different there, and every one of the baseline passes.
 * `hasSkipped`: a check that was asked first failed, so that some reports are of commands that it kept from being run.
 */
function passesButForNewTests(
  given: RoomCase,
  room: RoomRun,
  hasSkipped: boolean,
): room is Extract<RoomRun, { readonly kind: 'ran' }> {
  const { input, differing, remembered } = given
  if (room.kind !== 'ran' || room.decision.verdict === 'verified') return false
  const isForStyle = isReportedButForStyle(input) && isLintedOnly(given)
  if ((hasSkipped || isByExitCodeAlone(input)) && !isForStyle) return false
  const checks = [...reportsOfInput(input).keys()]
  return (
    checks.length > 0 &&
    isOnlyShort(differing, room) &&
    checks.every((check) => {
      const [known, now] = [remembered.base.get(check), room.reports?.get(check)]
      return known !== undefined && now !== undefined && passesAllOf(known, withoutExitCode(now))
    })
  )
}

/** What keeps a linter or formatter from judging. */
const SUPPRESSION =
  /\b(?:es|ox|style)lint-disable|\b(?:biome|prettier|dprint|rome)-ignore|\b(?:noqa|nolint|rustfmt::skip|fmt:\s*(?:off|skip)|isort:\s*skip|yapf:|rubocop:)|clang-format off|@ts-/

/** Returns whether a linter may have asked for the changes in these tests: they are few, weaken nothing, and hide nothing from it. */
function isLintedOnly({ subject, differing }: RoomCase): boolean {
  const isWeakened = subject.raised.some(({ event_type }) => event_type === 'protected_files_changed')
  const lines = new Map(subject.differences.map((one) => [one.path, one.lines]))
  return (
    !isWeakened &&
    differing.every((one) => {
      const added = lines.get(one.path)?.added
      return isChangedTest(one) && added !== undefined && !added.some((line) => SUPPRESSION.test(line))
    })
  )
}

function isChangedTest({ kind, path, isInstrument, isGates, ownTests }: GuardedChange): boolean {
  return kind === 'modified' && !isInstrument && !isGates && (ownTests === true || isPlainTest(path))
}

/** Returns whether checks refuse only how the baseline's tests look, as a formatter does: none fails, or none is executed. */
function refusesLooks(input: VerdictInput, files: readonly GuardedChange[], room: RoomRun | null): boolean {
  if (room?.kind !== 'ran') return false
  if (isByExitCodeAlone(input) && !isReportedButForStyle(input)) return false
  const reports = [...(room.reports?.values() ?? [])]
  const { expression } = input.after
  const analyzed = expression?.kind === 'value' ? (expression.byExitCodeAlone ?? []) : []
  const isGreen = reports.every((report) => withoutExitCode(report).failed === 0)
  const isWhole = reports.length === reportsOfInput(input).size && reports.length + analyzed.length > 0
  return isGreen && isWhole && files.every(isChangedTest)
}

type Further = Pick<CustodyInput, 'dependencies' | 'outside' | 'unreached' | 'unseen'>
const NOTHING_FURTHER: Further = { dependencies: [] }

/** What else may have affected the verdict, apart from guarded files. `room`: paths that are as in the baseline there. */
function* findFurther(
  subject: WorkCase,
  input: VerdictInput,
  { verdict }: VerdictDecision,
  { room, base }: { readonly room: readonly string[]; readonly base: Reports },
): Asking<Further> {
  const mayChange = mayChangeBy(subject.task?.asked.mayChange ?? [])
  const { added, modified, renamed } = subject.difference
  const files = [...added, ...modified, ...renamed.map(({ to }) => to)].filter(
    (path) => mayReach(path) && !mayChange(path),
  )
  const commands = verdict === 'verified' && files.length > 0 ? yield* findUnreachedEnds(input, room) : []
  if (commands.length > 0) return { dependencies: [], unreached: { commands, files } }
  const { sees, difference } = subject
  if (verdict === 'verified' && sees !== undefined && (yield* passesUnseen(subject, input, room, base)))
    return { dependencies: [], unseen: { sees, files: changedPaths(difference) } }
  const [dependencies, outside] = yield* together([
    ask({ kind: 'dependencies' }),
    // A sandboxed agent can't write there, so any change is the operator's.
    subject.run.isContained ? nothing() : ask({ kind: 'outside-settings' }),
  ])
  return { dependencies: dependencies.filter((path) => !mayChange(path)), outside }
}

function* findDisputed(
  subject: WorkCase,
  input: VerdictInput,
  inPlace: VerdictDecision,
  renames: readonly Renamed[],
): Asking<SortedChanges> {
  const seen = yield* seenSince(subject, input, inPlace)
  const isOfWork = (one: BaseDifference): boolean =>
    isShownSource(subject, one) || isFollowing(subject, one, renames)
  const shown = seen.filter(isOfWork).map(({ path }) => path)
  const differences = seen.filter(({ path }) => !shown.includes(path))
  const measured = [input, ...(input.criteria ?? [])].flatMap(({ after }) =>
    after.probes.map(({ name }) => name),
  )
  const hints = [input.hint, ...(input.criteria ?? []).map(({ hint }) => hint)]
  const namesakes = yield* findNamesakes(subject, differences)
  const checks = { hints, probes: measured }
  const sorted = sortDifferences(differences, subject.task, checks, subject.root, namesakes)
  // What a check executes is judged as a whole.
  const executed = new Set(seen.flatMap(({ path, executedBy }) => (executedBy.length > 0 ? [path] : [])))
  const own = yield* findOwnTests(subject, input, inPlace)
  return withOwnTests(
    { ...sorted, shown },
    own.filter((path) => !executed.has(path)),
  )
}

/**
 * Returns the functions that the task asks to rename. None if tests of the baseline failed or are not known: a function under another
 * name might be right only for the tests that follow it.
 */
function renamesOf({ task }: WorkCase, input: VerdictInput, base: Reports): readonly Renamed[] {
  const checks = [...reportsOfInput(input).keys()]
  const areGreen = checks.length > 0 && checks.every((check) => base.get(check)?.failed === 0)
  if (task === null || isByExitCodeAlone(input) || !areGreen) return []
  const { description, criteria } = task.asked
  return askedRenames(askedWords([description, ...criteria.map(({ text }) => text)].join('\n')))
}

/** A test in which only the names of sources differ that this work renamed, or of functions that it was asked to rename. */
function isFollowing(subject: WorkCase, one: BaseDifference, renames: readonly Renamed[]): boolean {
  if (one.lines === undefined || one.executedBy.length > 0) return false
  const isProtected = protectionBy(subject.policy.interventions.protected)
  const renamed = renamedSources(subject.difference, isProtected)
  return followsAsked(one.path, one.lines, renames) || followsRenames(one.path, one.lines, renamed)
}

/** Returns the tests that moved along with a source that this work renamed, and are the same otherwise. */
function movesOf(subject: WorkCase, disputed: readonly GuardedChange[]): readonly Renamed[] {
  const isProtected = protectionBy(subject.policy.interventions.protected)
  const renamed = renamedSources(subject.difference, isProtected)
  const open = new Set(disputed.map(({ path }) => path))
  return subject.differences.flatMap(({ path, moved }) =>
    moved !== undefined && open.has(path) && open.has(moved.from) && followsMove(path, moved, renamed)
      ? [{ from: moved.from, to: path }]
      : [],
  )
}

const pathsOf = (moves: readonly Renamed[]): readonly string[] => moves.flatMap(({ from, to }) => [from, to])

/**
 * Runs the checks with the moved tests at their new places, and everything else as in the baseline. Returns that run if it passes and
 * executes all tests that are missing without the moved ones: a runner may not look in the new place, and tests of the same names
 * elsewhere are executed both times. `null`: nothing shows that the moved tests are executed.
 */
function* runWithMoved(
  { subject, input, inPlace, remembered, differing, moves }: RoomCase & Pick<RoomRuns, 'moves'>,
  without: RoomRun,
): Asking<RoomRun | null> {
  if (without.kind === 'none' || without.decision.verdict === 'verified') return null
  if (isByExitCodeAlone(input) && !isReportedButForStyle(input)) return null
  const paths = new Set(pathsOf(moves))
  const others = differing.filter(({ path }) => !paths.has(path))
  const run: RoomRun =
    others.length === 0
      ? { kind: 'ran', decision: inPlace, reports: reportsOfInput(input) }
      : yield* decideIn(subject, input, settingOf(subject, others), remembered.base)
  if (run.kind === 'none' || run.decision.verdict !== 'verified') return null
  const renamed = renamedSources(subject.difference, protectionBy(subject.policy.interventions.protected))
  const executed = (reports: Reports | undefined, check: string): ReadonlySet<string> | null => {
    const report = reports?.get(check)
    if (report === undefined || report.areNamesCut) return null
    return new Set(executedNames(report).flatMap((name) => namesBeforeMove(name, moves, renamed)))
  }
  let missing = 0
  for (const check of reportsOfInput(input).keys()) {
    const [bare, full] = [executed(without.reports, check), executed(run.reports, check)]
    if (bare === null || full === null) return null
    const names = namesOf(remembered, check).filter((name) => !bare.has(name))
    if (!names.every((name) => full.has(name))) return null
    missing += names.length
  }
  return missing > 0 ? run : null
}

/** Maximum number of sources that may have been renamed and changed. */
const MAX_CHANGED = 20

/** Returns the renamed sources. One that was changed as well may be any of the missing sources, under any new name. */
function renamedSources(
  { added, deleted, renamed }: WorkCase['difference'],
  isProtected: (path: string) => boolean,
): WorkCase['difference']['renamed'] {
  const gone = deleted.filter((path) => !isProtected(path))
  const came = added.filter((path) => !isProtected(path))
  const areFew = gone.length <= MAX_CHANGED && came.length <= MAX_CHANGED
  const changed = areFew ? gone.flatMap((from) => came.map((to) => ({ from, to }))) : []
  return [...renamed.filter(({ from, to }) => !isProtected(from) && !isProtected(to)), ...changed]
}

/**
 * A new source that is loaded instead of another, and that git shows: it is part of the work. A stub is part of it only if it
 * was asked for, because nothing runs it.
 */
function isShownSource(
  { difference, policy, task }: WorkCase,
  { path, kind, executedBy, standsIn }: BaseDifference,
): boolean {
  const { description = '', criteria = [] } = task?.asked ?? {}
  const isAsked = (): boolean => asksForStubs([description, ...criteria.map(({ text }) => text)].join('\n'))
  const isNew = difference.added.includes(path) || difference.renamed.some(({ to }) => to === path)
  return (
    kind === 'added' &&
    isNew &&
    standsIn !== true &&
    executedBy.length === 0 &&
    isReadable(path) &&
    (!isStub(path) || isAsked()) &&
    shadowedBy(path).length > 0 &&
    !protectionBy(policy.interventions.protected)(path)
  )
}

/**
 * Returns new protected files that the task names only by the end of their path, while an unprotected file ends the same way: "fix calc.py"
 * means the source, not a new `tests/calc.py` that tests would import first.
 */
function* findNamesakes(
  { task, difference, policy }: WorkCase,
  differences: readonly BaseDifference[],
): Asking<ReadonlySet<string>> {
  if (task === null) return new Set()
  const words = [task.asked.description, ...task.asked.criteria.map(({ text }) => text), task.verify].join(
    '\n',
  )
  const named = differences.flatMap(({ path, kind, isProtected }) => {
    const end = kind === 'added' && isProtected ? namedEnd(words, path) : null
    return end === null || end === path ? [] : [{ path, end }]
  })
  if (named.length === 0) return new Set()
  const found = (yield* ask({ kind: 'ending-in', ends: named.map(({ end }) => end) })).flat()
  const added = new Set(difference.added)
  const isProtected = protectionBy(policy.interventions.protected)
  const others = found.filter((path) => !added.has(path) && !isProtected(path))
  const measurable = others.length === 0 ? [] : yield* ask({ kind: 'measurable', paths: others })
  const gone = [...difference.deleted, ...difference.renamed.map(({ from }) => from)]
  // Installed packages contain files of any name, so files that git ignores are not meant.
  const meant = [
    ...others.filter((_path, at) => measurable[at] === true),
    ...gone.filter((path) => !isProtected(path)),
  ]
  return new Set(
    named
      .filter(({ end }) => meant.some((path) => path === end || path.endsWith(`/${end}`)))
      .map(({ path }) => path),
  )
}

/**
 * Ignores an early exit if it deceives no check. It only deceives a check without a report: in a report the known tests would
 * be missing, unless each is a whole program.
 */
function withMeaning(
  reaching: readonly ReachingSource[],
  remembered: RememberedTests,
  input: VerdictInput,
): readonly ReachingSource[] {
  const known = [...reportsOfInput(input).keys()].map((check) => namesOf(remembered, check))
  const areCounted = known.every((names) => names.length > 0 && !names.some(isOfProgram))
  if (isByExitCodeAlone(input) || !areCounted) return reaching
  return reaching.flatMap((source) => {
    const words = source.words.filter((each) => each !== SUCCESS)
    return words.length === 0 ? [] : [{ ...source, words }]
  })
}

// biome-ignore lint/correctness/useYield: a part of the procedure that has nothing to ask
function* nothing(): Asking<readonly string[]> {
  return []
}

/**
 * Returns the differences, including what the checks left behind: the agent's code ran in them and may have changed a file that the next
 * check executes, or restored one that it had changed.
 */
function* seenSince(
  { differences }: WorkCase,
  input: VerdictInput,
  { verdict }: VerdictDecision,
): Asking<readonly BaseDifference[]> {
  if (verdict !== 'verified' || !runsChecks(input)) return differences
  const since = new Map((yield* ask({ kind: 'check-files' })).map((one) => [one.path, one]))
  const before = differences.map((one) => {
    const again = since.get(one.path)
    if (again === undefined) return one
    since.delete(one.path)
    const executedBy = [...new Set([...one.executedBy, ...again.executedBy])]
    return { ...one, isProtected: one.isProtected || again.isProtected, executedBy }
  })
  return [...before, ...since.values()]
}

/**
 * Sorts differences from the baseline by their meaning for this task: the script of a probe counts as a check file only if the task's
 * checks use the probe. `probes`: those that were measured.
 */
export function sortDifferences(
  differences: readonly BaseDifference[],
  task: { readonly verify: string; readonly asked: AskedTask } | null,
  measured: { readonly hints: readonly Hint[]; readonly probes: readonly string[] },
  root?: string,
  namesakes: ReadonlySet<string> = new Set(),
): SortedChanges {
  const probes = new Set<string>(measured.probes.map(probeCheck))
  const runsApproved = measured.hints.some(
    (hint) => hint.kind === 'expression' && hint.functions.includes('succeeds'),
  )
  const changes = differences.map(
    ({ executedBy, ...difference }): GuardedChange => ({
      ...difference,
      isInstrument: executedBy.some((check) => probes.has(check) || (check === 'command' && runsApproved)),
      isGates: executedBy.includes('gate'),
    }),
  )
  const { description = '', criteria = [], mayChange = [] } = task?.asked ?? {}
  return sortChanges(changes, {
    text: askedWords([description, ...criteria.map(({ text }) => text)].join('\n')),
    hint: task?.verify ?? '',
    ...(root !== undefined && { root }),
    namesakes,
    mayChange: mayChangeBy(mayChange),
  })
}

/** Returns the unanswered attempt that left all the disputed files, if this attempt touched none of them. */
function earlierOf(
  { history }: WorkCase,
  disputed: readonly Pick<GuardedChange | ReachingSource, 'attemptId'>[],
): string | null {
  const authors = new Set(disputed.map(({ attemptId }) => attemptId))
  const [author] = authors
  if (authors.size !== 1 || author === undefined || author === null) return null
  const waiting = history.unanswered.find(({ attemptId }) => attemptId === author)
  return waiting === undefined ? null : (waiting.with ?? waiting.attemptId)
}

/** Runs in a clean room; where that fails, once more without the new places of tests that were only moved: a runner saw them twice. */
function* runWithoutMoved(
  subject: WorkCase,
  input: VerdictInput,
  disputed: readonly GuardedChange[],
  base: Reports,
  holdsInPlace: boolean,
): Asking<RoomRun> {
  const setting = settingOf(subject, disputed)
  const run = yield* runInRoom(subject, input, setting, base, holdsInPlace)
  const { policy, difference } = subject
  const isProtected = protectionBy(policy.interventions.protected)
  const moved = difference.renamed
    .filter(({ from, to }) => setting.room.includes(from) && isProtected(to) && !setting.room.includes(to))
    .map(({ to }) => to)
  if (!holdsInPlace || run.kind === 'none' || run.decision.verdict === 'verified' || moved.length === 0)
    return run
  const without = yield* decideIn(subject, input, { ...setting, room: [...setting.room, ...moved] }, base)
  return without.kind === 'ran' && without.decision.verdict === 'verified' ? without : run
}

function* runInRoom(
  subject: WorkCase,
  input: VerdictInput,
  setting: Setting,
  base: Reports,
  holdsInPlace: boolean,
): Asking<RoomRun> {
  const run = yield* decideIn(subject, input, setting, base)
  if (run.kind === 'none' || run.decision.verdict === 'verified' || !holdsInPlace) return run
  // The room itself may be the problem (a port in use, another path). A run there with the agent's own files shows whether it is.
  const control = yield* decideIn(subject, input, { room: [], earlier: null }, base)
  if (control.kind === 'none' || control.decision.verdict === 'verified') return run
  const why = control.decision.reasons[0] ?? 'no reason given'
  return {
    kind: 'none',
    reason: `in a clean room with the attempt's files it fails too, so a clean room proves nothing: ${why}`,
  }
}

function* decideIn(subject: WorkCase, input: VerdictInput, setting: Setting, base: Reports): Asking<RoomRun> {
  const room = yield* ask({ kind: 'room', setting })
  if (room.kind === 'none') return room
  const measured = yield* measureIn(subject, setting, input, base)
  return { kind: 'ran', decision: decideVerdict(measured.input), reports: measured.reports }
}

/** The facts that decide whether missing tests are only mentioned. */
interface Losses extends Disputed {
  readonly tests: ReadonlyMap<string, TestsRun>
  readonly renames: readonly Renamed[]
  /** Tests that moved along with a source. */
  readonly moves: readonly Renamed[]
}

function* findExcuse(losses: Losses): Asking<LossExcuse | null> {
  if (yield* comesFromAllowed(losses)) return 'allowed'
  return (yield* areOnlyRenamed(losses)) ? 'renamed' : null
}

/**
 * Returns whether the tests are missing because of files that the task may change. Restores other guarded files that changed:
 * tests that are executed again with those were removed by them, and a run that executes fewer tests proves nothing.
 */
function* comesFromAllowed({ subject, input, remembered, tests, changes }: Losses): Asking<boolean> {
  if (changes.allowed.length === 0) return false
  const mayChange = mayChangeBy(subject.task?.asked.mayChange ?? [])
  const { room } = settingOf(subject, [...changes.instruments, ...changes.protectedFiles])
  const others = guardedChanges(subject).filter((path) => !mayChange(path))
  if (room.length + others.length === 0) return true
  const setting: Setting = { room, earlier: { kind: 'before-work', only: others } }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return false
  const { reports } = yield* measureIn(subject, setting, input, remembered.base)
  return [...tests].every(([check, { executed, lost }]) => {
    const report = reports.get(check)
    const isThere = new Set(report === undefined ? [] : executedNames(report))
    return (
      lost.length === 0 ||
      (executed.every((name) => isThere.has(name)) && !lost.some((name) => isThere.has(name)))
    )
  })
}

/** Returns the protected files that this work changed, in order. */
function guardedChanges({ policy, difference }: WorkCase): readonly string[] {
  return changedPaths(difference).filter(protectionBy(policy.interventions.protected)).sort()
}

/** Returns whether the missing tests were renamed, moved or renumbered, judging by the tests in the baseline or before this work. */
function* areOnlyRenamed({
  subject,
  input,
  remembered,
  tests,
  room,
  renames,
  moves,
}: Losses): Asking<boolean> {
  const isWeakened = subject.raised.some(({ event_type }) => event_type === 'protected_files_changed')
  const sources =
    moves.length === 0
      ? []
      : renamedSources(subject.difference, protectionBy(subject.policy.interventions.protected))
  const areNamedAfter = ({ executed, lost }: TestsRun): boolean => {
    const former = new Set(
      executed.flatMap((name) => namesBeforeMove(renames.reduce(formerName, name), moves, sources)),
    )
    return lost.every((name) => former.has(name))
  }
  if (!isWeakened && [...tests.values()].every(areNamedAfter)) return true
  const isRenamed = (reports?: Reports): boolean =>
    isOnlyRenamed(renamedIn(remembered, tests, reports), isWeakened)
  if (!isRenamed()) return false
  if (room?.kind === 'ran' && room.reports !== undefined && isRenamed(room.reports)) return true
  // A clean room restores whole files, so it can't restore tests inside a source file.
  const paths = changedPaths(subject.difference).slice(0, MAX_SOURCES)
  const renamed = paths.length === 0 ? [] : yield* ask({ kind: 'renamed-tests', paths })
  if (areExecutedRenamed(remembered, tests, renamed)) return true
  const only = guardedChanges(subject)
  if (only.length === 0) return false
  const setting: Setting = { room: [], earlier: { kind: 'before-work', only } }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return false
  const { reports } = yield* measureIn(subject, setting, input, remembered.base)
  return isRenamed(reports)
}

/**
 * Returns whether the attempt is told that it lost tests, even if there are other problems with how it passed. A run that failed is told
 * why instead
 * (one that did not start executed nothing), and losses of an earlier attempt were reported with that one.
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
      note: 'The check passes with these files as the attempt left them, and fails as in the baseline. The work is held for review.',
    },
  }
}
