import { z } from 'zod'

/** The wire's code and the HTTP status of each kind of problem; the contract declares the same ones. */
export const PROBLEMS = {
  /** No such workspace, task or attempt; the message says what exists. */
  'not-found': { code: 'NOT_FOUND', status: 404 },
  /** Several workspaces and none named, or a value that the rules refuse. */
  'bad-request': { code: 'BAD_REQUEST', status: 400 },
  /** It is not for whoever asked: see `takes` of the procedure. */
  forbidden: { code: 'FORBIDDEN', status: 403 },
  /** Changed meanwhile, already running, not trusted: the state does not allow it now. */
  conflict: { code: 'CONFLICT', status: 409 },
  /** The file or agent cannot be had: missing folder, unreadable contract. */
  unprocessable: { code: 'UNPROCESSABLE_CONTENT', status: 422 },
  /** The data folder cannot be read or written, such as on a full disk; nothing was changed. The message has the remedy. */
  storage: { code: 'STORAGE_UNAVAILABLE', status: 507 },
  /** Something that a host needs cannot be had, such as its port. */
  unavailable: { code: 'SERVICE_UNAVAILABLE', status: 503 },
} as const satisfies Record<string, { readonly code: string; readonly status: number }>

export type ProblemKind = keyof typeof PROBLEMS

/** What a program can go by in a problem, beside its code; each part only where it says something. */
export const problemDataSchema = z.object({
  /** What there is, where something else was named. */
  known: z.array(z.string()).optional(),
  /** The fields of the request that the contract refuses. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** The line of a file that stands in the way. */
  place: z.object({ file: z.string(), line: z.int(), column: z.int() }).optional(),
  /** What was to be written is no longer what was read: read it again. */
  changed: z.boolean().optional(),
})

export type ProblemData = z.infer<typeof problemDataSchema>

/**
 * What stands in the way of a request and what whoever asked can remedy: what, where, and the remedy, in one line. Anything else that
 * is thrown is a mistake of ours.
 */
export class RequestProblem extends Error {
  override readonly name: string = 'RequestProblem'
  readonly kind: ProblemKind
  readonly data: ProblemData
  constructor(kind: ProblemKind, message: string, options?: ErrorOptions & { readonly data?: ProblemData }) {
    super(message, options)
    this.kind = kind
    this.data = options?.data ?? {}
  }
}
