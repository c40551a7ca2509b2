import { z } from 'zod'
import { landingConflictSchema, pullRequestSchema } from '../record/landing-record.ts'
import type { LandingEntry, WorkspaceState } from '../record/state.ts'
import { isOpenLanding, landingStateSchema } from '../vocabulary/landing.ts'

/** The work of one attempt on its way to the target, as it is shown. */
export const landingViewSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  state: landingStateSchema,
  target: z.string(),
  /** What was judged, and lands; object name in hex. */
  tree: z.string(),
  /** By which it landed, or is offered; `null`: there is none yet. */
  commit: z.string().nullable(),
  because: z.string(),
  description: z.string(),
  /** ISO 8601: of its last change, and when it was handed in. */
  at: z.string(),
  since: z.string(),
  base: z.string(),
  /** The operator may land it now, or accept what was merged in its place. */
  canLand: z.boolean(),
  conflict: landingConflictSchema.nullable(),
  branch: z.string().nullable(),
  pullRequest: pullRequestSchema.nullable(),
})

export type LandingView = z.infer<typeof landingViewSchema>

/** Returns the work that is on its way or was, newest first. Work that was not verified is left out. */
export function landingViews({ landings }: Pick<WorkspaceState, 'landings'>): readonly LandingView[] {
  return landings.filter(({ verified }) => verified).map(landingView)
}

/** Returns one attempt's way to the target as it is shown. */
export function landingView(entry: LandingEntry): LandingView {
  const { attemptId, taskId, state, target, tree, commit, because, description, at, since, base } = entry
  const { conflict, branch, pullRequest, verified, differs } = entry
  return {
    attemptId,
    taskId,
    state,
    target,
    tree,
    commit,
    because,
    description,
    at,
    since,
    base,
    canLand: verified && (isOpenLanding(state) || state === 'conflict' || differs),
    conflict,
    branch,
    pullRequest,
  }
}
