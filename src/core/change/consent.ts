import { shellCommand } from '../text/command-words.ts'

/** The commands that one folder of the base would run. */
export interface AskedCommands {
  /** Absolute path. */
  readonly directory: string
  readonly commands: readonly string[]
  /** Hash of the configuration that names them; `null` if they were detected. */
  readonly configSha256: string | null
}

/** The commands that the operator has approved for a workspace. */
export interface ApprovedCommands {
  /** Absolute path of the workspace. */
  readonly directory: string
  readonly configSha256: string
  readonly gates: readonly (readonly string[])[]
}

/**
 * Returns whether all requested commands may run: because their workspaces are approved, or because the operator has just allowed exactly
 * this request. The commands alone don't identify a request: the same ones may run under a configuration that turns off the sandbox.
 */
export function mayRun(
  asked: readonly AskedCommands[],
  approved: readonly ApprovedCommands[],
  allowed: readonly AskedCommands[],
): boolean {
  const needed = asked.filter(({ commands }) => commands.length > 0)
  return needed.every(
    (folder) =>
      allowed.some((other) => isSame(folder, other)) || approved.some((each) => isApproved(folder, each)),
  )
}

/**
 * Returns whether the base's configuration equals the approved one byte for byte, or, if there is none, whether the detected commands are
 * all approved gates.
 */
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
