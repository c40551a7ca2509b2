import { z } from 'zod'
import { answersFor } from '../landing/steps.ts'
import { landingConflictSchema, pullRequestSchema } from '../record/landing-record.ts'
import type { LandingEntry, WorkspaceState } from '../record/state.ts'
import { landingAnswerSchema, landingStateSchema } from '../vocabulary/landing.ts'

/** The landing of one attempt's work, as shown. */
export const landingViewSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  state: landingStateSchema,
  target: z.string(),
  /** Object name in hex of the tree that was judged and will land. */
  tree: z.string(),
  /** The commit that landed or was published; `null` if there is none yet. */
  commit: z.string().nullable(),
  because: z.string(),
  description: z.string(),
  /** ISO 8601: when it last changed, and when it entered the queue. */
  at: z.string(),
  since: z.string(),
  base: z.string(),
  /** What the operator can do now, the most likely first. `land` of landed work accepts a merge with different contents. */
  answers: z.array(landingAnswerSchema),
  conflict: landingConflictSchema.nullable(),
  branch: z.string().nullable(),
  pullRequest: pullRequestSchema.nullable(),
})

export type LandingView = z.infer<typeof landingViewSchema>

/** Returns the landings of verified work, newest first. */
export function landingViews({ landings }: Pick<WorkspaceState, 'landings'>): readonly LandingView[] {
  return landings.filter(({ verified }) => verified).map(landingView)
}

/** Returns one attempt's landing as shown. */
export function landingView(entry: LandingEntry): LandingView {
  const { attemptId, taskId, state, target, tree, commit, because, description, at, since, base } = entry
  const { conflict, branch, pullRequest } = entry
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
    answers: answersFor(entry),
    conflict,
    branch,
    pullRequest,
  }
}

/** Says why an attempt's work has no difference to show; `null`: it has one. A `patch` is `null` once git no longer has the work. */
export function whyNoDifference(patch: string | null): string | null {
  if (patch === null) return 'Git no longer has this work. Pulseward keeps it for 30 days after it is closed.'
  return patch === '' ? 'It changed no file.' : null
}
