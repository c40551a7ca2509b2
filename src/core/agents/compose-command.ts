import { parsePermissionRules } from '../activity/permission-rule.ts'
import type { AgentMode, McpEquipment, McpServerEntry } from './program.ts'
import { AGENT_PROGRAMS, PRESET_IDS, type PresetId } from './programs.ts'

export interface PresetOptions {
  readonly mode: AgentMode
  readonly model: string | null
  /** The operator's own arguments. */
  readonly arguments: readonly string[]
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** A preset's command, ready to run. */
export interface ComposedCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stream: PresetId | null
  /** Requests that this program can't fulfill, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Returns a preset's mode if the operator names none: print if the program's events are understood and show as much as ACP does, or if it
 * supports nothing else.
 */
export function defaultMode(preset: PresetId): AgentMode {
  const { print, acp } = AGENT_PROGRAMS[preset]
  if (acp === null) return 'print'
  return acp.isPreferred === true || (print?.stream ?? null) === null ? 'acp' : 'print'
}

/** Returns the command of a preset with everything that the operator requests. A preset without the requested mode uses the other one. */
export function composeCommand(id: PresetId, options: PresetOptions): ComposedCommand {
  const { print, acp } = AGENT_PROGRAMS[id]
  if (acp !== null && (options.mode === 'acp' || print === null))
    return { command: [...acp.command, ...options.arguments], env: acp.env, stream: null, notes: [] }
  if (print === null) throw new Error(`The record of ${id} names no way to run it.`)
  const grants = print.grants({
    allow: parsePermissionRules(options.allow),
    deny: parsePermissionRules(options.deny),
  })
  return {
    command: [
      ...print.command,
      ...(options.model === null ? [] : [print.modelOption, options.model]),
      ...grants.arguments,
      ...options.arguments,
      ...print.lastArguments,
    ],
    env: grants.env,
    stream: print.stream === null ? null : id,
    notes: grants.notes,
  }
}

/**
 * Returns the preset whose program or ACP adapter a command runs, by its name without folder and extension; `null` for any
 * other.
 */
export function presetOfCommand(command: readonly string[]): PresetId | null {
  const name = programName(command[0] ?? '').toLowerCase()
  return (
    PRESET_IDS.find((id) => {
      const { program, acp } = AGENT_PROGRAMS[id]
      return name === program || name === acp?.command[0]
    }) ?? null
  )
}

/** Returns a program's name without folder and Windows extensions. */
export function programName(program: string): string {
  const name = program.replaceAll('\\', '/').split('/').at(-1) ?? ''
  return name.replace(/\.(exe|cmd|bat|ps1|com)$/i, '')
}

/** Returns the known program whose event stream a command prints on stdout; `null` for any other. */
export function streamOfCommand(command: readonly string[]): PresetId | null {
  const preset = presetOfCommand(command)
  const stream = preset === null ? null : AGENT_PROGRAMS[preset].print?.stream
  return stream?.isAskedFor(command.slice(1)) === true ? preset : null
}

/** The format of a session id. It becomes an argument of a program, so it must not look like an option. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/

/**
 * Returns the command that resumes an ended session, with its prompt on stdin or as a further argument as before; `null` for an
 * invalid id, and for a program that can't resume.
 */
export function resumeCommand(
  program: PresetId,
  command: readonly string[],
  sessionId: string,
): readonly string[] | null {
  const resume = AGENT_PROGRAMS[program].print?.stream?.resume ?? null
  return resume === null || !SESSION_ID.test(sessionId) ? null : resume(command, sessionId)
}

/** Passes `server` to a program by its arguments or environment; `null` if it reads servers only from its settings. Pure. */
export function withMcpServer(
  program: PresetId,
  command: readonly string[],
  server: McpServerEntry,
): McpEquipment | null {
  return AGENT_PROGRAMS[program].print?.equip?.(command, server) ?? null
}
