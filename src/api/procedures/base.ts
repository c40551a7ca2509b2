import { oc } from '@orpc/contract'
import { z } from 'zod'
import { PROBLEMS, type ProblemKind, problemDataSchema } from '../request-problem.ts'

function declared(kind: ProblemKind) {
  return { status: PROBLEMS[kind].status, data: problemDataSchema.optional() }
}

/**
 * Whose requests a procedure takes, from the widest to the narrowest. `agent`: also those of a supervised agent, of a check, and of what either
 * left running, about their own workspace. `program`: of any program of the user that shows the token, but not of those. `operator`: the
 * operator's own, traced to the app, the page or a terminal; while an attempt runs, any other program's needs the operator's confirmation.
 */
export type Takes = 'agent' | 'program' | 'operator'

/** What a procedure declares beside its shape. */
export interface ProcedureMeta {
  /** Left out: the operator's own requests only. */
  readonly takes?: Takes
}

/**
 * Takes the operator's own requests only. Errors that any procedure may answer with: a mistake of ours is `INTERNAL`, its cause only in
 * the log.
 */
export const base = oc.$meta<ProcedureMeta>({}).errors({
  NOT_FOUND: declared('not-found'),
  BAD_REQUEST: declared('bad-request'),
  FORBIDDEN: declared('forbidden'),
  CONFLICT: declared('conflict'),
  UNPROCESSABLE_CONTENT: declared('unprocessable'),
  STORAGE_UNAVAILABLE: declared('storage'),
  SERVICE_UNAVAILABLE: declared('unavailable'),
})

/** Takes requests of any program that shows the token: it shows something, or changes neither score nor trust nor what runs. */
export const forPrograms = base.meta({ takes: 'program' })

/** Takes requests of agents and checks too, about their own workspace. */
export const forAgents = base.meta({ takes: 'agent' })

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
