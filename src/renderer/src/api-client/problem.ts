import { ORPCError } from '@orpc/client'

/** Something that did not work, ready to be shown. */
export interface Problem {
  /** Error code of the API, or `UNREACHABLE` if there was no answer. */
  readonly code: string
  /** What and where, as a sentence; with the remedy if the host gave one. */
  readonly message: string
}

/** Explains what went wrong to the user. Never throws, whatever was thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ORPCError) return { code: error.code, message: messageFor(error.code, error.message) }
  if (
    error instanceof TypeError ||
    (error instanceof DOMException && error.code === DOMException.ABORT_ERR)
  ) {
    return { code: 'UNREACHABLE', message: 'Pulseward does not answer. Is it still running?' }
  }
  return { code: 'UNREACHABLE', message: error instanceof Error ? error.message : String(error) }
}

function messageFor(code: string, message: string): string {
  if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') {
    return 'This page is not signed in. Open the address that `pulseward serve` printed.'
  }
  if (code === 'INTERNAL') {
    return 'Pulseward ran into an internal error; the cause is in its log.'
  }
  return message
}
