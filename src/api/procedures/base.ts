import { oc } from '@orpc/contract'
import { z } from 'zod'
import { PROBLEMS, type ProblemKind, problemDataSchema } from '../request-problem.ts'

function declared(kind: ProblemKind) {
  return { status: PROBLEMS[kind].status, data: problemDataSchema.optional() }
}

/**
 * Whose requests a procedure accepts, from widest to narrowest. `agent`: including those of a supervised agent, of a check, and
 * of processes that either left running, about their own workspace. `program`: from any program of the user that shows the
 * token, except those. `operator`: only the operator's own, traced to the app, the page or a terminal; while an attempt runs, a
 * request from any other program needs the operator's confirmation.
 */
export type Takes = 'agent' | 'program' | 'operator'

/** What a procedure declares besides its input and output. */
export interface ProcedureMeta {
  /** Omitted: the operator's own requests only. */
  readonly takes?: Takes
}

/**
 * Accepts only the operator's own requests. Lists the errors that any procedure may return. A bug of ours is `INTERNAL`, with
 * its cause only in the log.
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

/** Where HTTP offers a procedure, and what the OpenAPI document says it does. */
const route =
  <Method extends 'GET' | 'POST' | 'PUT' | 'DELETE'>(method: Method) =>
  (path: `/${string}`, summary: string) => ({ method, path, summary })

export const get = route('GET')
export const post = route('POST')
export const put = route('PUT')
export const del = route('DELETE')

/** Omitted: only the operator's own requests. */
export const forPrograms = base.meta({ takes: 'program' })

/** Also accepts requests from agents and checks, about their own workspace. */
export const forAgents = base.meta({ takes: 'agent' })

/** The input of every request about one workspace. */
export const workspaceInput = z.object({
  /** Workspace id; may be omitted if there is only one. Over HTTP also `?workspace=ID`. */
  workspace: z.string().optional(),
})

/** The input of everything that lists workspaces, in the order in which they were added. Without both fields it returns all. */
export const pageInput = z.object({
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** The id of the last one of the previous page. */
  after: z.string().optional(),
})
