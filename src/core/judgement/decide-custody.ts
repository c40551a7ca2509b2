import type { Hint } from '../contract/hint.ts'
import type { CheckRun, Held } from '../custody/held.ts'
import { MAX_HELD_FILES } from '../custody/held.ts'
import { isPlainTest } from '../custody/plain-tests.ts'
import { isBuildOutput } from '../custody/protected.ts'
import type { UncommittedView } from '../custody/uncommitted-view.ts'
import { isNotLoaded, withoutExitCode } from '../reports/test-report.ts'
import { grouped } from '../text/grouped.ts'
import { namesFile } from '../text/names-path.ts'
import type { Measurement, VerdictDecision, VerdictInput } from '../verification/types.ts'
import type { DifferenceKind } from '../vocabulary/evidence.ts'
import type { HeldReason } from '../vocabulary/held.ts'
import type { Reports } from './baseline-reports.ts'
import type { Policy } from './case.ts'
import { readAsClaimed } from './claimed-values.ts'
import { sayUnseen } from './uncommitted-checks.ts'
import { sayUnreached } from './unreached-ends.ts'
import { decideVerdict } from './verdict.ts'

/** A file that decides what checks say and differs from the baseline. Paths are relative to the workspace, with `/`; above it with `..`. */
export interface GuardedChange {
  readonly path: string
  readonly kind: DifferenceKind
  /** True if the check of a task or a probe executes it. */
  readonly isInstrument: boolean
  /** True if a gate executes it. */
  readonly isGates: boolean
  readonly isProtected: boolean
  /** The attempt that changed it last; `null` for the judged one, `ELSEWHERE` for none in this workspace. */
  readonly attemptId: string | null
  /** For git's index: the files that still exist but that git no longer shows. */
  readonly hides?: readonly string[]
  /** Only the tests that this source contains are in dispute. */
  readonly ownTests?: true
  /** A new file whose mere presence makes a check do less, because it has the name of a target, or of a program that it shadows. */
  readonly standsIn?: true
}

/** Used as the attempt id if an agent of another workspace may have changed a file. */
export const ELSEWHERE = 'elsewhere'

/** What a task's text says about files. */
export interface TaskWords {
  /** Description and criteria. */
  readonly text: string
  readonly hint: string
  /** Absolute path of the tree, because a path in the text may include it. Omitted if it may not. */
  readonly root?: string
  readonly mayChange: (path: string) => boolean
  /** New files that share a name in this text with another file, which is the one meant. Omitted if none. */
  readonly namesakes?: ReadonlySet<string>
}

/** The changes, grouped by their meaning for the verdict. */
export interface SortedChanges {
  /** Check files: the check is run with the baseline's version. */
  readonly instruments: readonly GuardedChange[]
  readonly protectedFiles: readonly GuardedChange[]
  /** Covered by `may_change`: they become part of the baseline when the attempt is verified. */
  readonly allowed: readonly GuardedChange[]
  /**
   * New sources that are loaded instead of another and that git shows, and tests that follow renamed sources. They become part of the
   * baseline when the attempt is verified. Omitted if none.
   */
  readonly shown?: readonly string[]
}

/**
 * Separates the task's own work from disputed changes. The task's work is what `may_change` covers; a new file that command, check or task
 * name; and a check file that the task names, unless it is protected or a gate's. Keeps the order; each change is in at most one list.
 */
export function sortChanges(changes: readonly GuardedChange[], words: TaskWords): SortedChanges {
  const isAllowed = ({ path, hides = [path] }: GuardedChange): boolean =>
    words.mayChange(path) || hides.every((file) => words.mayChange(file))
  const allowed = changes.filter(isAllowed)
  const disputed = changes.filter((change) => !isAllowed(change) && !isTasksWork(change, words))
  const isInstrument = (change: GuardedChange): boolean => change.isInstrument || change.isGates
  return {
    instruments: disputed.filter((change) => isInstrument(change)),
    protectedFiles: disputed.filter((change) => !isInstrument(change) && change.isProtected),
    allowed,
  }
}

function isTasksWork(change: GuardedChange, { text, hint, root, namesakes }: TaskWords): boolean {
  const { path, kind, isInstrument, isGates, isProtected, standsIn } = change
  // `make check` names the target, not a file; `node check.mjs` doesn't name a file called `node`.
  if (standsIn) return false
  if (kind === 'added') {
    const isNamed = namesFile(text, path, root) || namesFile(hint, path, root)
    return isInstrument || isGates || (isNamed && namesakes?.has(path) !== true)
  }
  return isInstrument && !isGates && !isProtected && namesFile(text, path, root)
}

/** The result of running the checks in the clean room; `none`: why it was not run. */
export type RoomRun =
  | { readonly kind: 'ran'; readonly decision: VerdictDecision; readonly reports?: Reports }
  | { readonly kind: 'none'; readonly reason: string }

/** A source that accesses what runs its tests; says in words what it accesses. */
export interface ReachingFile {
  readonly path: string
  readonly words: readonly string[]
}

/** What decides whether an attempt is held. */
export interface CustodyInput {
  readonly attemptId: string
  readonly inPlace: VerdictDecision
  readonly changes: SortedChanges
  /** `null`: it was not requested, see `needsRoom`. */
  readonly room: RoomRun | null
  /** Sources of this attempt, or of an unanswered one, that the task may not change and that access what runs their tests. */
  readonly reaching?: readonly ReachingFile[]
  /** The unanswered attempt that left the disputed files, if this one touched none of them. */
  readonly earlier: string | null
  /** Names of known tests that this run did not execute. */
  readonly lostTests: readonly string[]
  /** Why missing tests are only mentioned: the task may change them, or they were renamed or moved. Omitted: there is no excuse. */
  readonly excuse?: LossExcuse | null
  /** True if the baseline's files did not pass together before the work either, and those from right before it do. Omitted: false. */
  readonly isStale?: boolean
  /** Dependency files that were changed without their lock entry. */
  readonly dependencies: readonly string[]
  /** Files outside the tree that affect the check and were changed by an agent. */
  readonly outside?: readonly string[]
  /** Commands that pass without reaching their end, and the sources that were changed. Omitted: none do. */
  readonly unreached?: { readonly commands: readonly string[]; readonly files: readonly string[] }
  /** The changed files, if the checks pass only because of what git considers committed or staged. Omitted if they don't. */
  readonly unseen?: { readonly sees: UncommittedView; readonly files: readonly string[] }
}

export type LossExcuse = 'allowed' | 'renamed'

export interface CustodyDecision {
  readonly decision: VerdictDecision
  readonly held: Held | null
  /** True if the baseline's check gives another answer: `check_rigged`. */
  readonly isRigged: boolean
}

/**
 * Returns whether the clean room is needed: a check file was changed and the rest of the verdict depends on the check, or protected files
 * were changed and the check passes in place.
 */
export function needsRoom(input: VerdictInput, inPlace: VerdictDecision, changes: SortedChanges): boolean {
  if (!runsChecks(input)) return false
  if (inPlace.verdict === 'verified') return changes.instruments.length + changes.protectedFiles.length > 0
  return changes.instruments.length > 0 && decideVerdict(withHoldingCheck(input)).verdict === 'verified'
}

/** Returns whether anything was executed for the verdict. Reading files only measures, and no runner can rig that. */
export function runsChecks({ gates, criteria = [], ...task }: VerdictInput): boolean {
  if (gates.length > 0) return true
  return [task, ...criteria].some(({ hint, after }) => {
    if (hint.kind === 'probe') return true
    return hint.kind === 'expression' && (hint.functions.includes('succeeds') || after.probes.length > 0)
  })
}

/** Returns whether judging an attempt with these checks executes anything. */
export function mayRunChecks(hints: readonly Hint[], { gates }: Pick<Policy, 'gates'>): boolean {
  const runs = (hint: Hint): boolean =>
    hint.kind === 'probe' ||
    (hint.kind === 'expression' && (hint.functions.includes('succeeds') || hint.probes.length > 0))
  return gates.commands.length > 0 || hints.some(runs)
}

/**
 * Returns which attempts of one run are told that the run changed protected files: those whose checks execute something, because these
 * files may have decided them; if there are none, the first, so that it is reported at all.
 */
export function toldOfProtected(
  hintsOfAttempts: readonly (readonly Hint[])[],
  policy: Pick<Policy, 'gates'>,
): readonly boolean[] {
  const affected = hintsOfAttempts.map((hints) => mayRunChecks(hints, policy))
  return affected.includes(true) ? affected : affected.map((_no, at) => at === 0)
}

/** Returns the input as if everything executed had passed: what still fails then can't be changed by a check. */
function withHoldingCheck(input: VerdictInput): VerdictInput {
  const holding = ({ probes, expression }: Measurement): Measurement => ({
    probes: readAsClaimed(probes, input.claim.values),
    expression: expression === null ? null : { kind: 'value', holds: true },
  })
  const criteria = (input.criteria ?? []).map((one) => ({ ...one, after: holding(one.after) }))
  return { ...input, after: holding(input.after), criteria, again: [], gates: [] }
}

/** Returns the verdict under custody: as measured in place, verified by the baseline's check, or held. Pure; never throws. */
export function decideCustody(input: CustodyInput): CustodyDecision {
  const { inPlace, room, changes } = input
  if (room === null) return heldForLosses(input, inPlace)
  const inRoom = room.kind === 'ran' ? room.decision : null
  if (inRoom?.verdict === 'verified') {
    const decision =
      inPlace.verdict === 'verified' ? withNote(inPlace, SAME_IN_ROOM) : withNote(inRoom, BY_BASE)
    return heldForLosses(input, decision)
  }
  if (input.isStale === true) return heldForLosses(input, withNote(inPlace, SAME_AS_BEFORE))
  // The agent's own version of the check refuses it too, so only a value that the claim was compared with is in dispute.
  if (
    inPlace.verdict !== 'verified' &&
    !inPlace.groundTruthContradiction &&
    inRoom?.verdict === inPlace.verdict
  )
    return { decision: inPlace, held: null, isRigged: false }
  const because: HeldReason =
    input.earlier !== null ? 'earlier' : changes.instruments.length > 0 ? 'check' : 'clean-room'
  const disputed = [...changes.instruments, ...changes.protectedFiles]
  return {
    ...hold(input, because, filesOf(disputed), sayRoom(input, disputed, room)),
    isRigged:
      inPlace.verdict === 'verified' &&
      inRoom !== null &&
      !isUnanswered(room) &&
      !isOnlyShort(disputed, room) &&
      disputed.some(({ attemptId }) => attemptId !== ELSEWHERE),
  }
}

/** Returns whether tests only failed because they could not be built or loaded, so that the baseline's answer is unknown. */
function isUnanswered(room: RoomRun): boolean {
  const reports = room.kind === 'ran' ? [...(room.reports?.values() ?? [])] : []
  const failed = reports.flatMap(({ names }) => names.failed)
  return failed.length > 0 && failed.every(isNotLoaded)
}

/** Returns whether the check only lacks tests that the work wrote: no test of the baseline fails. Without reports, a changed one may have. */
export function isOnlyShort(disputed: readonly GuardedChange[], room: RoomRun): boolean {
  const reports = room.kind === 'ran' ? [...(room.reports?.values() ?? [])] : []
  const areTests = disputed.every(
    ({ path, kind, isInstrument, isGates, ownTests }) =>
      (kind === 'added' || (kind === 'modified' && reports.length > 0)) &&
      !isInstrument &&
      !isGates &&
      ownTests !== true &&
      isPlainTest(path),
  )
  return areTests && reports.every((report) => withoutExitCode(report).failed === 0)
}

const SAME_IN_ROOM = 'the same with tests, configuration and checks as in the baseline'
const SAME_AS_BEFORE =
  'the same with the tests from before the attempt (those of the baseline did not pass together then either)'
const BY_BASE = 'measured with the check as in the baseline, because the attempt changed it'

/** Returns whether installed dependencies may have decided the verdict: it is good, or the check gave no readable answer. */
export function restsOnDependencies({ verdict, fault }: VerdictDecision): boolean {
  return (
    verdict === 'verified' || (verdict === 'unclear' && (fault === 'contract' || fault === 'environment'))
  )
}

function heldForLosses(input: CustodyInput, inQuestion: VerdictDecision): CustodyDecision {
  if (!restsOnDependencies(inQuestion)) return { decision: inQuestion, held: null, isRigged: false }
  const decision = withExcuse(inQuestion, input)
  const asIs = { decision, held: null, isRigged: false }
  const { reaching = [], outside = [], unreached, unseen } = input
  if (decision.verdict === 'verified' && reaching.length > 0) {
    const because = input.earlier === null ? 'check' : 'earlier'
    const files = reaching.map(({ path }) => path)
    const said = listed(reaching.map(({ path, words }) => `${path} (${words.join(', ')})`))
    return {
      ...hold(input, because, files, [
        `sources reach for what runs their tests, and did not before: ${said}`,
      ]),
      isRigged: false,
    }
  }
  if (decision.verdict === 'verified' && unreached !== undefined && unreached.commands.length > 0) {
    return {
      ...hold(input, 'check', unreached.files, [sayUnreached(unreached.commands)]),
      isRigged: false,
    }
  }
  if (decision.verdict === 'verified' && unseen !== undefined)
    return { ...hold(input, 'check', unseen.files, [sayUnseen(unseen.sees)]), isRigged: false }
  if (decision.verdict === 'verified' && input.lostTests.length > 0 && (input.excuse ?? null) === null) {
    return { ...hold(input, 'tests', input.lostTests, [sayLost(input.lostTests)]), isRigged: false }
  }
  if (outside.length > 0)
    return {
      ...hold(input, 'check', outside, [
        `settings outside of the workspace that steer the check were changed while an agent ran: ${listed(outside)}`,
      ]),
      isRigged: false,
    }
  if (input.dependencies.length > 0) {
    const files = listed(input.dependencies)
    return {
      ...hold(input, 'dependencies', input.dependencies, [
        `files of dependencies were changed, and their lock entries were not: ${files}`,
      ]),
      isRigged: false,
    }
  }
  return asIs
}

function sayLost(names: readonly string[]): string {
  const counted =
    names.length === 1
      ? '1 test that was executed before was not executed now'
      : `${grouped(names.length)} tests that were executed before were not executed now`
  return `${counted}: ${listed(names)}`
}

/** Mentions tests that are missing for a good reason; they don't hold the attempt. */
function withExcuse(decision: VerdictDecision, { lostTests, excuse }: CustodyInput): VerdictDecision {
  if (decision.verdict !== 'verified' || lostTests.length === 0 || (excuse ?? null) === null) return decision
  const why =
    excuse === 'allowed'
      ? 'this task may change its tests'
      : 'no fewer tests ran, and these were only renamed or moved'
  return withNote(decision, `${sayLost(lostTests)} (${why})`)
}

function hold(
  { attemptId, inPlace, room, earlier }: CustodyInput,
  because: HeldReason,
  files: readonly string[],
  why: readonly string[],
): Pick<CustodyDecision, 'decision' | 'held'> {
  const waiting = 'held for review: no points, and no attempt is counted'
  return {
    decision: {
      ...inPlace,
      verdict: 'unclear',
      groundTruthContradiction: false,
      fault: null,
      falseCompletion: false,
      reasons: [...why, waiting, ...inPlace.reasons.map((reason) => `in place: ${reason}`)].slice(0, 20),
    },
    held: {
      id: because === 'earlier' ? (earlier ?? attemptId) : attemptId,
      because,
      files: files.slice(0, MAX_HELD_FILES),
      inPlace: runOf(inPlace),
      cleanRoom:
        room === null
          ? { verdict: null, reasons: [] }
          : room.kind === 'ran'
            ? runOf(room.decision)
            : { verdict: null, reasons: [room.reason] },
      with: because === 'earlier' ? earlier : null,
    },
  }
}

function runOf({ verdict, reasons }: VerdictDecision): CheckRun {
  return { verdict, reasons: reasons.slice(0, 5).map((reason) => reason.slice(0, 500)) }
}

function sayRoom(
  { changes, inPlace, earlier }: CustodyInput,
  disputed: readonly GuardedChange[],
  room: RoomRun,
): readonly string[] {
  const what =
    changes.instruments.length > 0
      ? 'check files differ'
      : disputed.length === 1
        ? 'a file that the check depends on differs'
        : 'files that the check depends on differ'
  const since = earlier === null ? '' : ` since attempt ${earlier}, which is still held for review`
  const differs = `${what} from the baseline${since}: ${sayWhose(disputed)}`
  if (room.kind === 'none') return [differs, `the check could not be run as in the baseline: ${room.reason}`]
  const holds = inPlace.verdict === 'verified' ? 'passes as the agent left it, but fails' : 'fails'
  return [differs, `the check ${holds} as in the baseline: ${room.decision.reasons[0] ?? 'no reason given'}`]
}

/** Lists this attempt's files, and separately those that earlier ones left. */
function sayWhose(disputed: readonly GuardedChange[]): string {
  const own = disputed.filter(({ attemptId }) => attemptId === null)
  const others = disputed.filter(({ attemptId }) => attemptId !== null)
  if (own.length === 0 || others.length === 0) return sayChanges(disputed)
  return `${sayChanges(own)}; and as an earlier attempt left ${others.length === 1 ? 'it' : 'them'}: ${sayChanges(others)}`
}

/** Lists the changes. Build output is only counted if anything else differs, because each run of a check rebuilds it. */
function sayChanges(changes: readonly GuardedChange[]): string {
  const written = changes.filter(({ path }) => !isBuildOutput(path))
  const made = changes.length - written.length
  if (written.length === 0 || made === 0) return listed(changes.map(sayChange))
  return `${listed(written.map(sayChange))} (and ${made === 1 ? 'a file' : `${grouped(made)} files`} of build output)`
}

/**
 * Returns the files affected by the changes, without duplicates. Files that git was told to hide are included, because they may be what
 * differs.
 */
export function filesOf(changes: readonly GuardedChange[]): readonly string[] {
  const files = [...new Set(changes.flatMap(({ path, hides }) => hides ?? [path]))]
  // An event names only the first files, so build output comes last.
  return [...files.filter((path) => !isBuildOutput(path)), ...files.filter(isBuildOutput)]
}

function sayChange({ path, hides, ownTests }: GuardedChange): string {
  if (ownTests === true) return `the tests in ${path}`
  return hides === undefined ? path : `what git shows, which leaves out ${listed(hides)}`
}

function withNote(decision: VerdictDecision, note: string): VerdictDecision {
  return { ...decision, reasons: [...decision.reasons, note] }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
