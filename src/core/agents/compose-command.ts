import { parsePermissionRules } from './permission-rule.ts'
import { AGENT_PRESETS } from './presets.ts'
import {
  type AgentMode,
  type AgentPreset,
  type AgentProgram,
  type Grants,
  PRESET_IDS,
  type PresetId,
  STREAM_PROGRAMS,
} from './types.ts'

export interface PresetOptions {
  readonly mode: AgentMode
  readonly model: string | null
  /** The operator's own arguments. */
  readonly arguments: readonly string[]
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** A preset made ready to run. */
export interface ComposedCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stream: AgentProgram | null
  /** What was asked for and this program cannot do, one sentence each. */
  readonly notes: readonly string[]
}

/** The mode of a preset where the operator names none: print where the program's events are understood. */
export function defaultMode(preset: PresetId): AgentMode {
  return AGENT_PRESETS[preset].print === null ? 'acp' : 'print'
}

/** The command of a preset with everything the operator asks of it. A preset without print mode is composed for ACP. */
export function composeCommand(id: PresetId, options: PresetOptions): ComposedCommand {
  const preset: AgentPreset = AGENT_PRESETS[id]
  const { print, acp } = preset
  if (options.mode === 'acp' || print === null) {
    return { command: [...acp.command, ...options.arguments], env: acp.env, stream: null, notes: [] }
  }
  const grants: Grants = print.grants({
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
    stream: print.stream,
    notes: grants.notes,
  }
}

/** The preset whose program or ACP adapter a command runs, by its name without folder and ending; `null` for any other. */
export function presetOfCommand(command: readonly string[]): PresetId | null {
  const name = programName(command[0] ?? '').toLowerCase()
  return (
    PRESET_IDS.map((id) => AGENT_PRESETS[id]).find(
      ({ program, acp }) => name === program || name === acp.command[0],
    )?.id ?? null
  )
}

/** A program's name without folder and the endings of Windows. */
export function programName(program: string): string {
  const name = program.replaceAll('\\', '/').split('/').at(-1) ?? ''
  return name.replace(/\.(exe|cmd|bat|ps1|com)$/i, '')
}

/** Whose events a command prints on stdout: one of the known programs, asked for its event stream; `null` for any other. */
export function streamOfCommand(command: readonly string[]): AgentProgram | null {
  const preset = presetOfCommand(command)
  const program = STREAM_PROGRAMS.find((known) => known === preset)
  if (program === undefined) return null
  return asksForEvents(program, command.slice(1)) ? program : null
}

function asksForEvents(program: AgentProgram, words: readonly string[]): boolean {
  const has = (options: readonly string[], value: string): boolean =>
    words.some(
      (word, index) =>
        (options.includes(word) && words[index + 1] === value) ||
        options.some((option) => word === `${option}=${value}`),
    )
  switch (program) {
    case 'claude':
      return has(['--output-format'], 'stream-json')
    case 'codex':
      return words.includes('exec') && (words.includes('--json') || words.includes('--experimental-json'))
    case 'copilot':
      return has(['--output-format'], 'json')
    case 'gemini':
      return has(['-o', '--output-format'], 'stream-json')
    case 'opencode':
      return words.includes('run') && has(['--format'], 'json')
  }
}

/** What a session id may be: it becomes an argument of a program, so it may not look like an option. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/

/**
 * The command that takes an ended session up again, its prompt on stdin or as a further argument as before; `null` for an id
 * that cannot be one.
 */
export function resumeCommand(
  program: AgentProgram,
  command: readonly string[],
  sessionId: string,
): readonly string[] | null {
  if (!SESSION_ID.test(sessionId)) return null
  switch (program) {
    case 'claude':
    case 'gemini':
      return [...command, '--resume', sessionId]
    case 'copilot':
      return [...command, `--resume=${sessionId}`]
    case 'opencode':
      return [...command, '-s', sessionId]
    case 'codex': {
      // `resume` is a subcommand: the options before it hold for it too, and `-` (read stdin) comes last.
      const takesStdin = command.at(-1) === '-'
      const options = takesStdin ? command.slice(0, -1) : command
      return [...options, 'resume', sessionId, ...(takesStdin ? ['-'] : [])]
    }
  }
}
