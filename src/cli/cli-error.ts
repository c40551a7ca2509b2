import { ORPCError } from '@orpc/client'

/** 0 fine, 1 the thing asked about is bad, 2 usage or configuration, 3 the host or agent is unavailable. */
export type ExitCode = 0 | 1 | 2 | 3

/** A command that cannot do what was asked. The message is one line: what, where, and the remedy. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** As the API names it; what the API does not know is `USAGE` or `UNAVAILABLE`. */
  readonly code: string
  constructor(exitCode: ExitCode, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
    this.code = code
  }
}

/** The caller has to change what was asked or configured. */
export function usageError(message: string): CliError {
  return new CliError(2, 'USAGE', message)
}

/** What anything thrown within a command means to the caller. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ORPCError) return fromApi(error)
  if (isRequestProblem(error)) {
    return new CliError(2, problemCodes[error.kind] ?? 'BAD_REQUEST', error.message, { cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(3, 'UNAVAILABLE', message, { cause: error })
}

function fromApi(error: ORPCError<string, unknown>): CliError {
  const callerCanRemedy = ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT', 'UNPROCESSABLE_CONTENT'].includes(
    error.code,
  )
  return new CliError(callerCanRemedy ? 2 : 3, error.code, error.message, { cause: error })
}

const problemCodes: Readonly<Record<string, string>> = {
  'not-found': 'NOT_FOUND',
  'bad-request': 'BAD_REQUEST',
  conflict: 'CONFLICT',
  unprocessable: 'UNPROCESSABLE_CONTENT',
}

/** By its name: the class belongs to main, which commands do not import. */
function isRequestProblem(error: unknown): error is Error & { kind: string } {
  return error instanceof Error && error.name === 'RequestProblem' && 'kind' in error
}
