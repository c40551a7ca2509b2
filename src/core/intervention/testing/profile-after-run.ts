import type { InterventionType } from '../../vocabulary/intervention.ts'
import { profileAfter } from '../profile.ts'
import type { AgentProfile } from '../types.ts'

export const RUN_AT = '2026-03-01T10:00:00+01:00'

/** Returns the profile after one run, in which nothing was changed, offered or shown unless `change` says so. */
export function profileAfterRun(
  profile: AgentProfile,
  iteration: number,
  interventions: readonly InterventionType[],
  change: { filesChanged?: number; evidenceCount?: number; feedbackShown?: boolean; run?: string } = {},
): AgentProfile {
  return profileAfter(profile, {
    iteration,
    at: RUN_AT,
    run: `run ${iteration}`,
    filesChanged: 0,
    evidenceCount: 0,
    feedbackShown: false,
    interventions,
    ...change,
  })
}
