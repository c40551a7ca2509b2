import { z } from 'zod'

/** The wire's code and the HTTP status of each kind of problem. The API declares the same ones. */
export const PROBLEMS = {
  /** No such workspace, task or attempt; the message says what exists. */
  'not-found': { code: 'NOT_FOUND', status: 404 },
  /** Several workspaces and none named, or an invalid value. */
  'bad-request': { code: 'BAD_REQUEST', status: 400 },
  /** The sender may not do this: see `takes` of the procedure. */
  forbidden: { code: 'FORBIDDEN', status: 403 },
  /** Changed since, already running, not trusted: the current state doesn't allow it. */
  conflict: { code: 'CONFLICT', status: 409 },
  /** The file or agent is not available: missing folder, unreadable contract. */
  unprocessable: { code: 'UNPROCESSABLE_CONTENT', status: 422 },
  /** The data folder can't be read or written, such as on a full disk; nothing was changed. The message has the remedy. */
  storage: { code: 'STORAGE_UNAVAILABLE', status: 507 },
  /** Something that a host needs is not available, such as its port. */
  unavailable: { code: 'SERVICE_UNAVAILABLE', status: 503 },
} as const satisfies Record<string, { readonly code: string; readonly status: number }>

export type ProblemKind = keyof typeof PROBLEMS

/** Machine-readable details of a problem, in addition to its code; each part only if it applies. */
export const problemDataSchema = z.object({
  /** What exists instead, if an unknown name was given. */
  known: z.array(z.string()).optional(),
  /** The fields of the request that the API rejects. */
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** The line of a file that causes the problem. */
  place: z.object({ file: z.string(), line: z.int(), column: z.int() }).optional(),
  /** The file to be written has changed since it was read: read it again. */
  changed: z.boolean().optional(),
})

export type ProblemData = z.infer<typeof problemDataSchema>

/**
 * A problem with a request that the sender can fix: what, where, and the remedy, in one line. Anything else that is thrown is a
 * bug of ours.
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
