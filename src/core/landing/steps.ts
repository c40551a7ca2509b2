import { KEPT_LANDINGS } from '../record/fold-landing.ts'
import type { LandingRecord } from '../record/landing-record.ts'
import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { isOpenLanding, type LandingAnswer } from '../vocabulary/landing.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/*
 * The landing's state machine, without anything that needs a repository. The queue records these changes and carries them out.
 */

type LandingChange = Partial<LandingRecord>

/** Returns whether the current verdict lets the work land. Held work needs a review or an overruling first. */
function isVerifiedNow({ verdict, review, overruled, undone }: StandingAttempt): boolean {
  const isSettled = review === null || review.answer !== null || overruled !== null
  return verdict === 'verified' && isSettled && undone === undefined
}

export type StandingAttempt = Pick<AttemptSummary, 'verdict' | 'review' | 'overruled' | 'feedback' | 'undone'>

/** Returns how a later review, overruling or thumb changes the work, or `null`. Work that may have reached its target does not change. */
export function afterVerdict(entry: LandingRecord, attempt: StandingAttempt): LandingChange | null {
  if (entry.state === 'landed' || entry.candidate !== null) return null
  const isVerified = isVerifiedNow(attempt)
  if (!isVerified && entry.verified)
    return {
      ...closed(entry),
      verified: false,
      because: entry.state === 'dropped' ? entry.because : 'You overruled its verdict',
    }
  if (isVerified && !entry.verified)
    return entry.isDropped
      ? { verified: true }
      : { verified: true, ...reopened(entry, { because: 'You accepted it' }) }
  if (!entry.verified)
    return entry.state === 'held' && attempt.review?.answer?.answer === 'refuse'
      ? { ...closed(entry), because: 'You refused it' }
      : null
  if (attempt.feedback === 'down')
    return isOpenLanding(entry.state) && entry.state !== 'held' && !entry.approved
      ? { state: 'held', waitsFor: null, heldTree: null, isDisliked: true, because: 'You rated it down' }
      : null
  return entry.state === 'held' && entry.isDisliked
    ? { state: 'queued', isDisliked: false, because: 'You took your thumb back' }
    : null
}

function closed(entry: LandingRecord): LandingChange {
  const { state, verified, because, heldTree, isDisliked } = entry
  return {
    state: 'dropped',
    waitsFor: null,
    candidate: null,
    from: null,
    approved: false,
    heldTree: null,
    isDisliked: false,
    heldFor: state === 'held' && verified ? { because, heldTree, isDisliked } : entry.heldFor,
  }
}

/** Queues work again, or holds it as it was. */
function reopened({ heldFor }: LandingRecord, queued: LandingChange): LandingChange {
  return heldFor === null
    ? { state: 'queued', ...queued }
    : { state: 'held', waitsFor: null, ...heldFor, heldFor: null }
}

/** Returns how work changes when another host has landed the same task; if it is requested again, it is held for review. */
export function afterLandingElsewhere(entry: LandingRecord, because: string): LandingChange {
  return { ...closed(entry), heldFor: { because, heldTree: null, isDisliked: false }, because }
}

/** Returns how the operator's answer changes the work, or why the answer is refused. */
export function afterAnswer(
  entry: LandingRecord,
  answer: LandingAnswer,
): { readonly change: LandingChange } | { readonly refusal: string } {
  const { attemptId, state, target } = entry
  if (state === 'landed')
    return entry.differs && answer === 'land'
      ? { change: { differs: false, because: `You accepted what was merged into ${target}` } }
      : { refusal: `${attemptId} has landed on ${target} already.` }
  if (answer === 'drop')
    return {
      change: state === 'dropped' ? {} : { ...closed(entry), isDropped: true, because: 'You dropped it' },
    }
  if (!entry.verified)
    return {
      refusal: `${attemptId} is not verified, and only verified work lands: ${entry.because}`,
    }
  if (answer === 'retry' && state === 'held' && entry.isDisliked)
    return {
      refusal: `You rated ${attemptId} down. Take your thumb back, or run \`pulseward landing land ${attemptId}\`.`,
    }
  if (answer === 'land' && state === 'dropped')
    return { refusal: `${attemptId} was dropped. Run \`pulseward landing retry ${attemptId}\` first.` }
  if (state === 'dropped' && entry.heldFor !== null)
    return { change: { ...reopened(entry, {}), isDropped: false } }
  // The queue tries it without being asked.
  if (answer === 'retry' && (state === 'queued' || state === 'judging' || entry.waitsFor === 'operator'))
    return { change: {} }
  const isAccepted = answer === 'land' && state === 'held' && entry.heldTree !== null
  return {
    change: {
      state: 'queued',
      because: answer === 'land' ? 'You asked for it to land' : 'You asked for another try',
      waitsFor: null,
      conflict: null,
      heldTree: null,
      isDisliked: false,
      isDropped: false,
      approved: answer === 'land' || (entry.approved && state === 'waiting'),
      ...(isAccepted && { judged: withJudged(entry, entry.heldTree ?? '') }),
    },
  }
}

/** Returns the answers that change something, the most likely first. */
export function answersFor(entry: LandingRecord): LandingAnswer[] {
  const isOnItsWay = isOpenLanding(entry.state) && (entry.state !== 'held' || entry.isDisliked)
  const asked: readonly LandingAnswer[] = isOnItsWay ? ['land', 'retry', 'drop'] : ['retry', 'land', 'drop']
  return asked.filter((answer) => {
    const after = afterAnswer(entry, answer)
    return 'change' in after && Object.keys(after.change).length > 0
  })
}

const KEPT_JUDGED = 10

/** Returns the verified combined trees plus this one. */
function withJudged({ judged }: Pick<LandingRecord, 'judged'>, tree: string): string[] {
  return [...judged.filter((each) => each !== tree), tree].slice(-KEPT_JUDGED)
}

/** Returns whether this tree can land without another judgement. */
export function isJudged(
  entry: Pick<LandingRecord, 'verifiedTree' | 'isWhole' | 'judged'>,
  tree: string,
): boolean {
  return judgedTrees(entry).includes(tree)
}

/** Returns the trees that were verified exactly as they are. */
export function judgedTrees({
  isWhole,
  verifiedTree,
  judged,
}: Pick<LandingRecord, 'verifiedTree' | 'isWhole' | 'judged'>): readonly string[] {
  return isWhole ? [verifiedTree, ...judged] : judged
}

/** Git keeps unreferenced objects for two weeks; older work is gone. */
const MISSED_MS = 14 * 24 * 60 * 60_000

/**
 * Returns attempts whose work may not have reached the queue because of a crash between verdict and hand-in. Both lists are newest first.
 * The state keeps only the latest landings, so older attempts without one are not missed.
 */
export function missedAttempts(
  { attempts, landings }: Pick<WorkspaceState, 'attempts' | 'landings'>,
  nowMs: number,
): readonly string[] {
  const oldest = landings[KEPT_LANDINGS - 1]
  const end = attempts.findIndex(({ attemptId }) => attemptId === oldest?.attemptId)
  const known = new Set(landings.map(({ attemptId }) => attemptId))
  return (end < 0 ? attempts : attempts.slice(0, end)).flatMap(({ attemptId, verdict, review, startedAt }) =>
    !known.has(attemptId) &&
    (verdict === 'verified' || review !== null) &&
    nowMs - Date.parse(startedAt) < MISSED_MS
      ? [attemptId]
      : [],
  )
}

/** The judgement of a tree. */
export interface TreeJudgement {
  readonly verdict: Verdict | null
  /** Why it is held for review, or `null`. */
  readonly held: string | null
  readonly reasons: readonly string[]
}

/** Returns how the judgement of a tree changes the work; on `conflict` the queue sends it back to its task. */
export function afterJudgement(
  entry: LandingRecord,
  tree: string,
  { verdict, held, reasons }: TreeJudgement,
): { readonly change: LandingChange } | { readonly conflict: string } {
  const [first = 'no reason was given'] = reasons
  const { target } = entry
  if (held !== null)
    return {
      change: { state: 'held', waitsFor: null, heldTree: tree, because: `Together with ${target}: ${held}` },
    }
  if (verdict === 'verified') return { change: { judged: withJudged(entry, tree) } }
  if (verdict !== 'not_verified')
    return {
      change: {
        state: 'waiting',
        waitsFor: 'checks',
        because: `It could not be judged together with ${target}: ${first}`,
      },
    }
  // Nothing was merged: the attempt was verified with the same tracked files, so the missing untracked files are the only difference.
  if (tree === entry.verifiedTree)
    return {
      change: {
        state: 'held',
        waitsFor: null,
        heldTree: null,
        because: `Git ignores the files it made, and without them it is not verified: ${first}`,
      },
    }
  return { conflict: `It is not verified together with ${target}: ${first}` }
}

/** What to do with a tree that can land. */
type LandingStep = 'ask' | 'publish' | 'move'

export function stepFor(
  mode: 'ask' | 'auto' | 'branch' | 'pull-request',
  { approved }: Pick<LandingRecord, 'approved'>,
): LandingStep {
  if (approved || mode === 'auto') return 'move'
  return mode === 'ask' ? 'ask' : 'publish'
}

/** Returns whether other open work is published on the same branch; then its branch and pull request must stay. */
export function isBranchShared(entry: LandingRecord, all: readonly LandingRecord[]): boolean {
  return all.some(
    ({ attemptId, branch, state, published }) =>
      attemptId !== entry.attemptId &&
      branch !== null &&
      branch === entry.branch &&
      published !== null &&
      isOpenLanding(state),
  )
}

/** Returns the pause before the next try after this many failures, in ms: 30 s, doubled up to an hour. */
export function pauseAfter(failures: number): number {
  return Math.min(30_000 * 2 ** Math.max(0, failures - 1), 3_600_000)
}
