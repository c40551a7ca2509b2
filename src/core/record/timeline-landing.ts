import { LANDING_WORDS, type LandingState } from '../vocabulary/landing.ts'
import { shorten } from './attempt-summary.ts'
import type { EventOf } from './events.ts'
import { type EntryBody, sentences } from './timeline-words.ts'

const SEVERITY: Partial<Record<LandingState, 'warning'>> = { conflict: 'warning', held: 'warning' }

/** Returns the timeline entry for a change of a landing; intermediate steps and unverified work have none. */
export function landingOf({ landing }: EventOf<'landing-changed'>): EntryBody | null {
  const { state, taskId, attemptId, target, commit, tree, because, verified, conflict, differs } = landing
  if (differs)
    return {
      kind: 'landing',
      type: 'landed-differs',
      title: `${target} has other contents than were judged`,
      severity: 'critical',
      taskId,
      attemptId,
      text: sentences([because]),
      details: { target, tree },
    }
  if (!verified || state === 'queued' || state === 'judging') return null
  return {
    kind: 'landing',
    type: state,
    title: state === 'landed' ? `Landed on ${target}` : `${LANDING_WORDS[state]} (${target})`,
    ...(SEVERITY[state] !== undefined && { severity: SEVERITY[state] }),
    taskId,
    attemptId,
    text: sentences([because, ...(conflict?.reasons ?? []).map(shorten)].filter((each) => each !== '')),
    ...(conflict !== null && { files: conflict.paths, filesCount: conflict.paths.length }),
    details: { target, tree, ...(commit !== null && { commit }) },
  }
}
