import type { InterventionType } from '../vocabulary/intervention.ts'
import { CLOSED_BREAKER } from './breaker.ts'
import type { AgentProfile } from './types.ts'

/** The longest window that can be set. */
const KEPT_ITERATIONS = 100
/** Far more than any threshold. */
const KEPT_RIGGED = 100

/** What a profile records about one attempt that the environment did not stop. */
export interface ProfiledAttempt {
  readonly iteration: number
  /** ISO 8601: when it ended. */
  readonly at: string
  /** Identifies the agent's run: the same for all attempts that it served. */
  readonly run: string
  /** Files changed in the whole run. */
  readonly filesChanged: number
  readonly evidenceCount: number
  readonly feedbackShown: boolean
  readonly interventions: readonly InterventionType[]
  /** True if a measurement contradicted a claim. */
  readonly contradicted?: boolean
}

/** Events that count as a false claim, as contradictions do. */
const REFUTATIONS: readonly InterventionType[] = ['false_completion_detected', 'claim_refuted']

/** Returns the profile of an agent that has not run yet. */
export function newProfile(agentId: string): AgentProfile {
  return {
    agentId,
    iterations: 0,
    lastIteration: 0,
    attempts: 0,
    noFilesCount: 0,
    falseCompletionCount: 0,
    filesWritten: 0,
    evidenceOffered: 0,
    lastReinforcement: null,
    lastRun: '',
    counted: { noFiles: 0, falseCompletions: 0, noFilesByIteration: [] },
    breaker: CLOSED_BREAKER,
  }
}

/**
 * Returns the profile after one more attempt. Several attempts in one iteration count as one iteration, and several in one run as one run.
 */
export function profileAfter(profile: AgentProfile, attempt: ProfiledAttempt): AgentProfile {
  const { iteration, run, filesChanged } = attempt
  const isFirst = profile.attempts === 0
  const noFiles = attempt.interventions.filter((type) => type === 'no_files_detected').length
  const isRefuted =
    attempt.contradicted === true || attempt.interventions.some((type) => REFUTATIONS.includes(type))
  return {
    ...profile,
    iterations: profile.iterations + (isFirst || iteration !== profile.lastIteration ? 1 : 0),
    lastIteration: iteration,
    attempts: profile.attempts + 1,
    noFilesCount: profile.noFilesCount + noFiles,
    // The breaker uses this count.
    falseCompletionCount: profile.falseCompletionCount + (isRefuted ? 1 : 0),
    filesWritten: profile.filesWritten + (isFirst || run !== profile.lastRun ? filesChanged : 0),
    evidenceOffered: profile.evidenceOffered + attempt.evidenceCount,
    lastReinforcement: attempt.feedbackShown ? attempt.at : profile.lastReinforcement,
    lastRun: run,
    counted: countedAfter(profile.counted, iteration, noFiles, isRefuted ? 1 : 0),
  }
}

/**
 * Returns the profile with an attempt that the operator called rigged. With `wasSeen`, the breaker had already counted it, so it can't trip
 * the breaker as a further event.
 */
export function withRigged(profile: AgentProfile, attemptId: string, wasSeen = false): AgentProfile {
  const { breaker, counted } = profile
  const rigged = [attemptId, ...(counted.rigged ?? [])].slice(0, KEPT_RIGGED)
  const again = wasSeen && breaker.state !== 'closed' ? 1 : 0
  const total = { ...profile, falseCompletionCount: profile.falseCompletionCount + 1 }
  return withCounted(total, counted.falseCompletions + 1, rigged, breaker.seen.falseCompletions + again)
}

/**
 * Returns the profile with that undone. The breaker's seen events never exceed those that count, so that the next lie is a further event.
 * An attempt that no longer counts, because the operator has closed the breaker since, changes nothing.
 */
export function withoutRigged(profile: AgentProfile, attemptId: string): AgentProfile {
  const { breaker, counted } = profile
  const rigged = counted.rigged ?? []
  if (!rigged.includes(attemptId)) return profile
  const left = rigged.filter((id) => id !== attemptId)
  const total = { ...profile, falseCompletionCount: Math.max(0, profile.falseCompletionCount - 1) }
  return withCounted(total, counted.falseCompletions - 1, left, breaker.seen.falseCompletions)
}

function withCounted(
  profile: AgentProfile,
  falseCompletions: number,
  rigged: readonly string[],
  seen: number,
): AgentProfile {
  const { breaker, counted } = profile
  return {
    ...profile,
    counted: { ...counted, falseCompletions, rigged },
    breaker: { ...breaker, seen: { ...breaker.seen, falseCompletions: Math.min(seen, falseCompletions) } },
  }
}

/** Joins profiles from two periods of the same agent's work; the breaker and its counts come from the later one. */
export function joinProfiles(earlier: AgentProfile, later: AgentProfile): AgentProfile {
  return {
    ...later,
    iterations: earlier.iterations + later.iterations,
    lastIteration: Math.max(earlier.lastIteration, later.lastIteration),
    attempts: earlier.attempts + later.attempts,
    noFilesCount: earlier.noFilesCount + later.noFilesCount,
    falseCompletionCount: earlier.falseCompletionCount + later.falseCompletionCount,
    filesWritten: earlier.filesWritten + later.filesWritten,
    evidenceOffered: earlier.evidenceOffered + later.evidenceOffered,
    lastReinforcement: later.lastReinforcement ?? earlier.lastReinforcement,
  }
}

function countedAfter(
  counted: AgentProfile['counted'],
  iteration: number,
  noFiles: number,
  falseCompletions: number,
): AgentProfile['counted'] {
  const [newest, ...older] = counted.noFilesByIteration
  const isSame = newest?.iteration === iteration
  const current = { iteration, count: (isSame ? newest.count : 0) + noFiles }
  const others = isSame ? older : counted.noFilesByIteration
  return {
    ...counted,
    noFiles: counted.noFiles + noFiles,
    falseCompletions: counted.falseCompletions + falseCompletions,
    noFilesByIteration: [current, ...others].slice(0, KEPT_ITERATIONS),
  }
}
