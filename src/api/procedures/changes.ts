import { z } from 'zod'
import { changeViewSchema } from '../../core/change/change-view.ts'
import { MAX_DESCRIPTION, MAX_REVISION } from '../../core/change/limits.ts'
import { CHANGE_STEPS } from '../../core/change/steps.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

const revision = z.string().trim().min(1).max(MAX_REVISION)

/** The change to verify; anything left out is decided as `pulseward verify` would. */
const changeRequestSchema = z.object({
  base: revision.optional(),
  head: revision.optional(),
  worktree: z.boolean().default(false),
  /** False: only custody and claims are checked; no code of the repository runs. */
  measure: z.boolean().default(true),
  /** The change's own description. */
  claims: z.string().max(MAX_DESCRIPTION).default(''),
})

export type ChangeRequest = z.infer<typeof changeRequestSchema>

export const verificationSchema = z.object({
  /** Identifies a verdict to attest, or a question to answer. */
  id: z.string(),
  request: changeRequestSchema,
  /** ISO 8601. */
  startedAt: z.string(),
  outcome: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('judged'), change: changeViewSchema }),
    /** Nothing was run, because measuring would run these commands of the base, which are not approved. */
    z.object({ kind: z.literal('needs-consent'), commands: z.array(z.string()) }),
    /** `usage`: the request must be changed. `unavailable`: it is not possible in this clone or on this machine. */
    z.object({ kind: z.literal('problem'), problem: z.enum(['usage', 'unavailable']), message: z.string() }),
    z.object({ kind: z.literal('canceled') }),
  ]),
})

export type Verification = z.infer<typeof verificationSchema>

export const changesSchema = z.object({
  running: verificationSchema
    .omit({ outcome: true })
    .extend({ step: z.enum(CHANGE_STEPS) })
    .nullable(),
  /** Kept until the host exits; `null`: nothing was verified since it started. */
  last: verificationSchema.nullable(),
})

export type Changes = z.infer<typeof changesSchema>

export const branchesSchema = z.object({
  /** The repository's top-level folder; `null` if it is bare. */
  top: z.string().nullable(),
  /** The branch that is checked out; `null` if there is none. */
  current: z.string().nullable(),
  /** The default base; `null`: one must be named. */
  base: z.string().nullable(),
  /** Newest first, by full name. */
  local: z.array(z.string()),
  remote: z.array(z.string()),
  /** True if there are more than are listed. */
  hasMore: z.boolean(),
})

export type Branches = z.infer<typeof branchesSchema>

export const changesProcedures = {
  get: forPrograms
    .route(get('/changes', 'The change being verified, and the last verdict'))
    .input(workspaceInput)
    .output(changesSchema),
  branches: forPrograms
    .route(get('/changes/branches', 'Branches of the workspace’s repository; `null` if it is in none'))
    .input(workspaceInput)
    .output(z.object({ repository: branchesSchema.nullable() })),
  verify: base
    .route(post('/changes', 'Starts to verify a change; answers at once'))
    .input(
      workspaceInput.extend({
        ...changeRequestSchema.shape,
        /** The id of the last verification, which asked for consent: consents to running the commands it listed. */
        consentTo: z.string().max(100).optional(),
      }),
    )
    .output(changesSchema),
  cancel: base
    .route(post('/changes/cancel', 'Ends the verification that is running'))
    .input(workspaceInput)
    .output(changesSchema),
  attest: base
    .route(post('/changes/attest', 'Signs the last verdict on a change'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(z.object({ commit: z.string().nullable(), tree: z.string(), envelopes: z.array(z.string()) })),
}
