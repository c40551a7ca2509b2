import { ValidationError } from '@orpc/contract'
import { ORPCError } from '@orpc/server'
import { PROBLEMS, RequestProblem } from '../../api/request-problem.ts'
import type { Log } from '../ports/log.ts'
import { issueWords } from './issue-words.ts'

/** Listing more mistakes than this helps no one, and the message must stay short. */
const MAX_ISSUES = 5

/**
 * Returns the error to answer with. Errors that the client or the operator can fix keep their message; for anything else only
 * "internal error" leaves the process, and the cause is logged under `procedure`.
 */
export function toApiError(error: unknown, procedure: string, log: Log): ORPCError<string, unknown> {
  if (error instanceof RequestProblem) {
    if (error.kind === 'storage') {
      log.error('The data folder is not usable', { procedure, cause: error.message })
    }
    const { message, data, kind } = error
    return new ORPCError(PROBLEMS[kind].code, { status: PROBLEMS[kind].status, message, data, cause: error })
  }
  if (isInputError(error)) {
    const issues = issuesOf(error.cause)
    return new ORPCError('BAD_REQUEST', { message: inWords(issues), data: { issues }, cause: error })
  }
  log.error('A request failed because of a bug', { procedure, cause: describeCause(error) })
  return new ORPCError('INTERNAL', {
    status: 500,
    message: "Internal error; see the host's log for its cause.",
  })
}

function isInputError(error: unknown): error is ORPCError<string, unknown> & { cause: ValidationError } {
  return error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError
}

function issuesOf({ issues }: ValidationError) {
  return issues.map((issue) => ({
    path: issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'input',
    message: issueWords(issue),
  }))
}

function inWords(all: ReturnType<typeof issuesOf>): string {
  const issues = all.slice(0, MAX_ISSUES).map(({ path, message }) => `${path}: ${message}`)
  const more = all.length - issues.length
  return more > 0 ? `${issues.join('; ')}; and ${more} more` : issues.join('; ')
}

function describeCause(error: unknown): string {
  if (error instanceof ORPCError && error.cause instanceof ValidationError) {
    return `${error.message}: ${inWords(issuesOf(error.cause))}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
