import { ORPCError } from '@orpc/client'
import { PROBLEMS, RequestProblem } from '../api/request-problem.ts'

/** The exit codes of commands. */
export const EXIT_CODES = {
  0: 'fine',
  1: 'the thing asked about is bad',
  2: 'usage or configuration',
  3: 'the host or the agent is unavailable, or nothing could be measured',
  4: 'held: a person has to look',
  70: 'a bug in Pulseward',
} as const
export type ExitCode = keyof typeof EXIT_CODES

/** Thrown by a command that cannot do what was asked. The message is one line: what, where, and the remedy. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** The API's error code; errors from elsewhere are `USAGE` or `UNAVAILABLE`. */
  readonly code: string
  constructor(exitCode: ExitCode, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
    this.code = code
  }
}

/** Returns an error that the caller can fix by changing the arguments or the configuration. */
export function usageError(message: string): CliError {
  return new CliError(2, 'USAGE', message)
}

/** Converts anything thrown within a command to what it means for the caller. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error
  if (error instanceof RequestProblem) return fromCode(PROBLEMS[error.kind].code, error)
  if (error instanceof ORPCError) return fromCode(error.code, error)
  // The system or the connection refused: nothing that we could have checked in advance.
  if (isSystemError(error)) return new CliError(3, 'UNAVAILABLE', error.message, { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(70, 'INTERNAL', `${message}. This is a bug in Pulseward.`, { cause: error })
}

const CODES_THE_CALLER_CAN_REMEDY = ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT', 'UNPROCESSABLE_CONTENT']

function fromCode(code: string, cause: Error): CliError {
  const exitCode = code === 'INTERNAL' ? 70 : CODES_THE_CALLER_CAN_REMEDY.includes(code) ? 2 : 3
  return new CliError(exitCode, code, cause.message, { cause })
}

/** True for Node's own errors, such as `ENOENT`, `ECONNRESET`, `ABORT_ERR`. */
function isSystemError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(E[A-Z0-9]+|ABORT_ERR|UND_ERR_\w+)$/.test(String(error.code))
  )
}
