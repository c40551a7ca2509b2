import type { ApiClient } from '../api/client.ts'
import type { ExitCode } from './cli-error.ts'
import type { Machine } from './machine.ts'
import type { Output } from './output.ts'

/** What a command gets to work with. */
export interface CommandContext {
  readonly output: Output
  /** Access to files and hosts of this machine. */
  readonly machine: Machine
  readonly version: string
  readonly currentDirectory: string
  readonly dataDirectory: string
  /** The argument of `--workspace`: a folder or a workspace id. */
  readonly workspaceArgument: string | undefined
  /** Aborted at the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Does `work` with a client of the running host, or of a temporary one that ends with the command. */
  withHost<T>(work: (client: ApiClient) => Promise<T>): Promise<T>
}

/** Wraps a command's work for commander: passes it the context before its own arguments, and keeps its exit code. */
export type RunCommand = <Args extends unknown[]>(
  work: (context: CommandContext, ...args: Args) => Promise<ExitCode>,
) => (...args: Args) => Promise<void>
