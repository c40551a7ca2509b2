import { shellCommand } from '../text/command-words.ts'

/** What one folder of the base would run. */
export interface AskedCommands {
  /** Absolute path. */
  readonly directory: string
  readonly commands: readonly string[]
  /** Of the configuration that names them; `null`: they were detected. */
  readonly configSha256: string | null
}

/** What the operator has approved for a workspace to run. */
export interface ApprovedCommands {
  /** Of the workspace; absolute. */
  readonly directory: string
  readonly configSha256: string
  readonly gates: readonly (readonly string[])[]
}

/**
 * Returns whether everything that is asked for may be run: by the approval of the workspace, or because the operator has just allowed
 * this very question. Commands alone are no question: the same ones may run under a configuration that lifts the sandbox.
 */
export function mayRun(
  asked: readonly AskedCommands[],
  approved: ApprovedCommands | null,
  allowed: readonly AskedCommands[],
): boolean {
  const needed = asked.filter(({ commands }) => commands.length > 0)
  return needed.every(
    (folder) =>
      allowed.some((other) => isSame(folder, other)) || (approved !== null && isApproved(folder, approved)),
  )
}

/** The base's configuration is the approved one to the byte, or names nothing and approved gates were detected. */
function isApproved(
  { directory, commands, configSha256 }: AskedCommands,
  approved: ApprovedCommands,
): boolean {
  if (directory !== approved.directory) return false
  if (configSha256 !== null) return configSha256 === approved.configSha256
  const gates = new Set(approved.gates.map(shellCommand))
  return commands.every((command) => gates.has(command))
}

function isSame(one: AskedCommands, other: AskedCommands): boolean {
  return (
    one.directory === other.directory &&
    one.configSha256 === other.configSha256 &&
    one.commands.length === other.commands.length &&
    one.commands.every((command, at) => command === other.commands[at])
  )
}
