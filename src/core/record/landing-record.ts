import { z } from 'zod'
import { landingStateSchema } from '../vocabulary/landing.ts'

/** What work can wait for: the operator's answer, a clean work tree, a remote or forge, checks, or a merge made elsewhere. */
export const LANDING_WAITS = ['operator', 'clean-tree', 'remote', 'checks', 'merge'] as const

/** A conflict between the work and its target. */
export const landingConflictSchema = z.object({
  /** `textual`: git can't merge it; `semantic`: it merges, but the combination is not verified. */
  kind: z.enum(['textual', 'semantic']),
  /** At most 50. */
  paths: z.array(z.string()),
  /** The files with conflict markers, truncated; empty for a semantic conflict. */
  sides: z.string(),
  /** Why the combination was not verified, with the names of what failed. */
  reasons: z.array(z.string()),
})

/** The work's pull request. */
export const pullRequestSchema = z.object({ number: z.int(), url: z.string(), branch: z.string() })

/** The work of one attempt on its way to the target. Commits and trees are object names in hex. */
export const landingRecordSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  description: z.string(),
  state: landingStateSchema,
  /** As configured: `main`, `origin/main`. */
  target: z.string(),
  /** The target's commit that the attempt started from. */
  base: z.string(),
  /** The commit that `refs/pulseward/attempts/ID` names. */
  source: z.string(),
  /** The tree that the attempt left. */
  verifiedTree: z.string(),
  /**
   * True if the judged folder had exactly the contents of `verifiedTree`: the agent left nothing that git ignores or converts. Otherwise
   * the tree is judged by itself before it lands.
   */
  isWhole: z.boolean().default(false),
  /** The tree that will land: the one judged last. */
  tree: z.string(),
  /** The commit that landed or was published as a branch or pull request; `null` if there is none yet. */
  commit: z.string().nullable(),
  /** A commit that may have reached the target: after a crash, the target is searched for it first. */
  candidate: z.string().nullable().default(null),
  /** The target's commit that `candidate` moves it from. */
  from: z.string().nullable().default(null),
  /** Combined trees that have been verified. */
  judged: z.array(z.string()).default([]),
  /** The tree that is held for review: the operator's `land` accepts exactly this one. */
  heldTree: z.string().nullable().default(null),
  /** True if it is held because the operator rated it down: undoing the thumb releases it. */
  isDisliked: z.boolean().default(false),
  /** Why it returns to being held for review once what closed it, or its own review, is settled; `null`: it is queued then. */
  heldFor: z
    .object({ because: z.string(), heldTree: z.string().nullable(), isDisliked: z.boolean() })
    .nullable()
    .default(null),
  /** The operator dropped it: a verdict doesn't queue it again. */
  isDropped: z.boolean().default(false),
  because: z.string(),
  /** What it waits for in the state `waiting`. */
  waitsFor: z.enum(LANDING_WAITS).nullable().default(null),
  /** The target's contents differ from those that were judged. */
  differs: z.boolean().default(false),
  /** Whether the attempt's verdict is verified; other work never lands. */
  verified: z.boolean(),
  /** Whether the operator asked for it to land. */
  approved: z.boolean().default(false),
  conflict: landingConflictSchema.nullable().default(null),
  branch: z.string().nullable().default(null),
  /** The commit that we last pushed to `branch`. Other commits there are never overwritten or deleted. */
  published: z.string().nullable().default(null),
  pullRequest: pullRequestSchema.nullable().default(null),
})

export type LandingConflict = z.infer<typeof landingConflictSchema>
export type LandingRecord = z.infer<typeof landingRecordSchema>
