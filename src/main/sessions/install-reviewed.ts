import type { HookedAgent, SessionMode } from '../../core/vocabulary/session.ts'
import { reviewInCodex } from './codex-review.ts'
import { entriesThere, type InstallationPlace, installHook, noteReview } from './installation.ts'

/**
 * Installs the hook, and asks a program that reviews hooks for the review, as the operator has just agreed to the change. Returns what is
 * left for the operator to do, as a sentence; `null`: nothing.
 */
export async function installReviewed(
  place: InstallationPlace,
  agent: HookedAgent,
  { mode, version }: { readonly mode: SessionMode | undefined; readonly version: string },
): Promise<string | null> {
  await installHook(place, agent, mode)
  if (agent !== 'codex') return null
  const { environment, home } = place
  const { path: file, ...entries } = await entriesThere(place, agent)
  const reviewed = await reviewInCodex({ environment, home, file, ...entries, version })
  await noteReview(place, agent, reviewed.kind === 'reviewed')
  return reviewed.kind === 'reviewed' ? null : reviewed.reason
}
