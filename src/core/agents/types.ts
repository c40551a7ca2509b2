import type { PermissionRule } from './permission-rule.ts'

/** Every preset; `[agent] preset` of `pulseward.toml`. */
export const PRESET_IDS = [
  'claude',
  'codex',
  'copilot',
  'gemini',
  'opencode',
  'goose',
  'qwen',
  'kimi',
  'cursor',
] as const

export type PresetId = (typeof PRESET_IDS)[number]

/** The programs whose event streams are understood. */
export const STREAM_PROGRAMS = ['claude', 'codex', 'copilot', 'gemini', 'opencode'] as const

export type AgentProgram = (typeof STREAM_PROGRAMS)[number]

/** `print`: one run for each prompt, its events on stdout. `acp`: the Agent Client Protocol. */
export type AgentMode = 'print' | 'acp'

/** What the operator grants and refuses. */
export interface Permissions {
  readonly allow: readonly PermissionRule[]
  readonly deny: readonly PermissionRule[]
}

/** Permissions in a program's own words. */
export interface Grants {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What was asked for and this program cannot do, one sentence each. */
  readonly notes: readonly string[]
}

/** What a program can be seen and asked to do in print mode. */
export interface Capabilities {
  /** Tool calls and messages come as events. */
  readonly events: boolean
  /** A tool that was refused shows in its events. */
  readonly denials: boolean
  /** An ended session takes a further prompt. */
  readonly resume: boolean
  /** Reports tokens. */
  readonly usage: boolean
  /** Reports money. */
  readonly cost: boolean
  /** Takes servers of the Model Context Protocol. */
  readonly mcp: boolean
}

/** How the login state of a program can be told without asking its service. */
export interface LoginCheck {
  /** Variables that stand for a login. */
  readonly variables: readonly string[]
  /** Files that hold one, from the home folder; `$NAME/` at the start: from the folder this variable names, if it is set. */
  readonly files: readonly string[]
  /** A command that exits with 0 where somebody is logged in, and with `loggedOutExitCode` where nobody is. */
  readonly status: { readonly arguments: readonly string[]; readonly loggedOutExitCode: number } | null
  /** Whether none of these means that nobody is logged in; where false it may stand elsewhere, in a keychain for one. */
  readonly conclusive: boolean
}

/** How one agent program is run, and what is known of it. */
export interface AgentPreset {
  readonly id: PresetId
  readonly name: string
  /** The program's name on PATH. */
  readonly program: string
  /** What to do where it is not installed. */
  readonly install: string
  /** What to do where nobody is logged in: a sentence. */
  readonly loginHint: string
  readonly login: LoginCheck
  /** Variables that look like secrets and that it needs: passed on. */
  readonly passEnvironment: readonly string[]
  readonly print: {
    readonly stream: AgentProgram
    /** Before the grants and the operator's own arguments. */
    readonly command: readonly string[]
    /** After them. */
    readonly lastArguments: readonly string[]
    readonly modelOption: string
    readonly grants: (permissions: Permissions) => Grants
    readonly capabilities: Capabilities
    /** What is worth knowing, one sentence each. */
    readonly remarks: readonly string[]
  } | null
  readonly acp: {
    readonly command: readonly string[]
    readonly env: Readonly<Record<string, string>>
    /** Where the adapter is a program of its own. */
    readonly install: string | null
    /** It takes a file that is not there for a failure where it reads through us, and could create none: it reads by itself. */
    readonly readsByItself?: boolean
  }
  /** The version all this was measured on; `null`: taken from its documentation. */
  readonly measuredVersion: string | null
}
