import { z } from 'zod'
import { landingStateSchema } from '../vocabulary/landing.ts'

/** What work can wait for: the operator's word; a clean work tree; a remote or forge that answers; checks that can run; a merge made elsewhere. */
export const LANDING_WAITS = ['operator', 'clean-tree', 'remote', 'checks', 'merge'] as const

/** Both sides of work that does not fit its target. */
export const landingConflictSchema = z.object({
  /** `textual`: git cannot merge it; `semantic`: it merges, and the combination is not verified. */
  kind: z.enum(['textual', 'semantic']),
  /** At most 50. */
  paths: z.array(z.string()),
  /** The files with both sides marked, bounded; empty where the conflict is semantic. */
  sides: z.string(),
  /** What the judgement of the combination says, with the names that fail. */
  reasons: z.array(z.string()),
})

/** Where a pull request of the work is. */
export const pullRequestSchema = z.object({ number: z.int(), url: z.string(), branch: z.string() })

/** The work of one attempt on its way to the target. Commits and trees are object names in hex. */
export const landingRecordSchema = z.object({
  attemptId: z.string(),
  taskId: z.string(),
  description: z.string(),
  state: landingStateSchema,
  /** As configured: `main`, `origin/main`. */
  target: z.string(),
  /** The target's commit that the attempt began with. */
  base: z.string(),
  /** The commit that `refs/pulseward/attempts/ID` names. */
  source: z.string(),
  /** The tree that was judged with the attempt. */
  verifiedTree: z.string(),
  /**
   * The folder that was judged with the attempt held exactly `verifiedTree`: the agent left nothing there that git ignores or converts.
   * Otherwise the tree alone is judged before it lands.
   */
  isWhole: z.boolean().default(false),
  /** The tree that was judged last: what lands. */
  tree: z.string(),
  /** The commit by which it landed, or is offered as a branch or pull request; `null`: there is none yet. */
  commit: z.string().nullable(),
  /** A commit that was made and may have reached the target: looked for first after a crash. */
  candidate: z.string().nullable().default(null),
  /** The target's commit that `candidate` moves it from. */
  from: z.string().nullable().default(null),
  /** Trees of combinations that were judged verified. */
  judged: z.array(z.string()).default([]),
  /** The tree that a judgement holds for review: the operator's `land` accepts exactly this one. */
  heldTree: z.string().nullable().default(null),
  because: z.string(),
  /** What it waits for, where its state is `waiting`. */
  waitsFor: z.enum(LANDING_WAITS).nullable().default(null),
  /** It reached the target with other contents than were judged. */
  differs: z.boolean().default(false),
  /** The attempt's verdict is verified: what is not never lands. */
  verified: z.boolean(),
  /** The operator has said that it may land. */
  approved: z.boolean().default(false),
  conflict: landingConflictSchema.nullable().default(null),
  branch: z.string().nullable().default(null),
  /** The commit that we last put on `branch`: nothing else there is overwritten or deleted. */
  published: z.string().nullable().default(null),
  pullRequest: pullRequestSchema.nullable().default(null),
})

export type LandingConflict = z.infer<typeof landingConflictSchema>
export type LandingRecord = z.infer<typeof landingRecordSchema>
