import { ValidationError } from '@orpc/contract'
import { ORPCError } from '@orpc/server'
import type { Log } from '../ports/log.ts'
import { RequestProblem } from '../ports/request-problem.ts'

/** The wire's code for each kind of problem; the contract declares the same ones. */
const codeOfKind = {
  'not-found': 'NOT_FOUND',
  'bad-request': 'BAD_REQUEST',
  conflict: 'CONFLICT',
  unprocessable: 'UNPROCESSABLE_CONTENT',
} as const satisfies Record<RequestProblem['kind'], string>

/** More mistakes than this in one request help nobody, and the message must stay short. */
const MAX_ISSUES = 5

/**
 * The error to answer with. What the client or the operator can remedy keeps its message; of anything else only "internal error" leaves
 * the process, and its cause goes to the log under `procedure`.
 */
export function toApiError(error: unknown, procedure: string, log: Log): ORPCError<string, unknown> {
  if (error instanceof RequestProblem) {
    return new ORPCError(codeOfKind[error.kind], { message: error.message, cause: error })
  }
  if (isInputError(error)) {
    return new ORPCError('BAD_REQUEST', { message: inputErrorInWords(error.cause), cause: error })
  }
  if (isStorageError(error)) {
    log.error('The data folder cannot be used', { procedure, cause: error.message })
    return new ORPCError('STORAGE_UNAVAILABLE', { status: 507, message: error.message, cause: error })
  }
  log.error('A request failed through a mistake of ours', { procedure, cause: describeCause(error) })
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message: 'Internal error; the log of the host has its cause.',
  })
}

/** By its name: the class belongs to the ledger, which the API does not know. */
function isStorageError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'StorageError'
}

function isInputError(error: unknown): error is ORPCError<string, unknown> & { cause: ValidationError } {
  return error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError
}

function inputErrorInWords(error: ValidationError): string {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    return `${path || 'input'}: ${issue.message}`
  })
  const more = error.issues.length - issues.length
  return more > 0 ? `${issues.join('; ')}; and ${more} more` : issues.join('; ')
}

function describeCause(error: unknown): string {
  if (error instanceof ORPCError && error.cause instanceof ValidationError) {
    return `${error.message}: ${inputErrorInWords(error.cause)}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
