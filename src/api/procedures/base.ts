import { oc } from '@orpc/contract'
import { z } from 'zod'
import { PROBLEMS, type ProblemKind, problemDataSchema } from '../request-problem.ts'

function declared(kind: ProblemKind) {
  return { status: PROBLEMS[kind].status, data: problemDataSchema.optional() }
}

/** What is said of a procedure beside its shape. */
export interface ProcedureMeta {
  /** It changes score or trust, or runs what its caller names outside of an agent's sandbox: asked for while an attempt runs, it has to be traced to the operator. */
  readonly needsWord?: boolean
}

/** Errors any procedure may answer with. A mistake of ours is `INTERNAL`, its cause only in the log. */
export const base = oc.$meta<ProcedureMeta>({}).errors({
  NOT_FOUND: declared('not-found'),
  BAD_REQUEST: declared('bad-request'),
  CONFLICT: declared('conflict'),
  UNPROCESSABLE_CONTENT: declared('unprocessable'),
  STORAGE_UNAVAILABLE: declared('storage'),
  SERVICE_UNAVAILABLE: declared('unavailable'),
})

/** A procedure that changes score or trust, or runs what nobody has approved. */
export const trusted = base.meta({ needsWord: true })

/** The input of everything that is asked of one workspace. */
export const workspaceInput = z.object({
  /** Workspace id; may be left out where there is only one. Over HTTP also `?workspace=ID`. */
  workspace: z.string().optional(),
})

/** The input of everything that lists workspaces, in the order in which they were added; without both it answers with all. */
export const pageInput = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** The id of the last one of the page before. */
  after: z.string().optional(),
})
