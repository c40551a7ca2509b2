import type { FigureScope } from '../activity/join.ts'
import type { PermissionRule } from '../activity/permission-rule.ts'
import type { StreamParser } from './streams/stream-parser.ts'

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

/** A server of the Model Context Protocol on standard input and output. */
export interface McpServerEntry {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What a print-mode program gets so that it has a server beside its own, for this run and without touching its settings. */
export interface McpEquipment {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How the login state of a program can be known without asking its service. */
export interface LoginCheck {
  /** Variables that stand for a login. */
  readonly variables: readonly string[]
  /** Files that hold one; written as `OwnFolders` are. */
  readonly files: readonly string[]
  /** A command that exits with 0 where somebody is logged in, and with `loggedOutExitCode` where nobody is. */
  readonly status: { readonly arguments: readonly string[]; readonly loggedOutExitCode: number } | null
  /** Whether none of these means that nobody is logged in; where false it may stand elsewhere, in a keychain for one. */
  readonly conclusive: boolean
}

/**
 * What a program has of its own: from the home folder; `$NAME` or `$NAME/…`: from the folder that this variable names, where it is
 * set (`placeOf`). It sees and writes all of it; what it writes goes with the attempt, but for what is listed here as kept.
 */
export interface OwnFolders {
  /** Its configuration, login, memory and caches: without them it does not work. No other program sees them. */
  readonly places: readonly string[]
  /** Logins that it refreshes by itself. */
  readonly logins: readonly KeptLogin[]
  /** Files that it writes a session down in, by which that can be taken up again; `*` in a name is any part of it. */
  readonly transcripts: readonly string[]
}

/** A file of JSON that holds a login, and may hold settings too. */
export interface KeptLogin {
  /** `*` in a name is any part of it. */
  readonly file: string
  /** The texts and numbers in it that are renewed, as `a.b`; `*` is any key. Nothing else of it is kept, and nothing that was not there before. */
  readonly renewed: readonly string[]
  /** What tells whose login it is, as `a.b`: another's is not kept. */
  readonly account?: string
}

/** The event stream of a program's print mode. */
export interface StreamFormat {
  /** `words`: the arguments of the run that is read. */
  readonly createParser: (words: readonly string[]) => StreamParser
  /** Whether these arguments of the program ask for it. */
  readonly isAskedFor: (words: readonly string[]) => boolean
  /** The command that takes an ended session up again, its prompt on stdin or as a further argument as before; `null`: it cannot. */
  readonly resume: ((command: readonly string[], sessionId: string) => readonly string[]) | null
  /** What the figures of a second run in a session count. */
  readonly resumedFigures: FigureScope
}

export interface PrintMode {
  /** `null`: it prints its answer as plain text, and says nothing of what it does. */
  readonly stream: StreamFormat | null
  /** Before the grants and the operator's own arguments. */
  readonly command: readonly string[]
  /** After them. */
  readonly lastArguments: readonly string[]
  readonly modelOption: string
  readonly grants: (permissions: Permissions) => Grants
  /** Hands it a server by its arguments or environment; `null`: it takes servers from its settings alone. */
  readonly equip: ((command: readonly string[], server: McpServerEntry) => McpEquipment) | null
  readonly capabilities: Capabilities
  /** What is worth knowing, one sentence each. */
  readonly remarks: readonly string[]
}

/** What a program tells of its service beside the protocol: that it asks again, or that its turn has failed. */
export type ServiceTrouble = { readonly kind: 'retry'; readonly words: string } | { readonly kind: 'failed' }

export interface AcpMode {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** It shows more over ACP than in print: the mode where the operator names none. */
  readonly isPreferred?: boolean
  /** Where the adapter is a program of its own. */
  readonly install: string | null
  /** It takes a file that is not there for a failure where it reads through us, and could create none: it reads by itself. */
  readonly readsByItself?: boolean
  /** Seen to report each edit and command with its result: what is not in its report was not done. */
  readonly showsWork: boolean
  /** The mode of its session in which it asks before it does what is not granted, where it does not begin with that. */
  readonly askingMode?: (permissions: Permissions) => string
  /** Its words, all of them, where its service failed: it says so as its answer, and ends the turn as if nothing were wrong. */
  readonly saysFailure?: RegExp
  /** What an update tells of its service in a field of its own; `null`: nothing. */
  readonly readTrouble?: (update: Readonly<Record<string, unknown>>) => ServiceTrouble | null
  /** Why it asks its service again, where a line on its stderr tells; `null`: the line tells nothing of the kind. */
  readonly readErrorLine?: (line: string) => string | null
  /** What the figures of a second turn count, where that is not the session. */
  readonly figures?: FigureScope
}

/** All that is known of one agent program. Measure again when a version moves. */
export interface AgentProgram {
  readonly name: string
  /** The program's name on PATH. */
  readonly program: string
  /** What to do where it is not installed. */
  readonly install: string
  /** What to do where nobody is logged in: a sentence. */
  readonly loginHint: string
  readonly login: LoginCheck
  readonly folders: OwnFolders
  /** Variables that look like secrets and that it needs: passed on. */
  readonly passEnvironment: readonly string[]
  /** Options with which it no longer asks before it does anything: `--yolo`, `--sandbox=danger-full-access`. */
  readonly dangerousOptions: readonly string[]
  /**
   * It brings a sandbox of its own, in which nothing works within another one. `leftOff`: the command of its print mode without it,
   * for where it is contained already; `null` where that would let it do more than it was granted.
   */
  readonly ownSandbox?: { readonly leftOff: (command: readonly string[]) => readonly string[] | null }
  readonly print: PrintMode | null
  readonly acp: AcpMode | null
  /** The version all this was measured on; `null`: taken from its documentation. */
  readonly measuredVersion: string | null
}

export const NO_LOGIN_KNOWN: LoginCheck = { variables: [], files: [], status: null, conclusive: false }

/** Keys of the services that a program with any provider may speak to. */
export const PROVIDER_KEYS: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'DEEPSEEK_API_KEY',
  'XAI_API_KEY',
]

/** Each run reports itself. */
export const PER_RUN: FigureScope = { tokens: 'run', cost: 'run' }

/** Whether an option stands among the words with this value, as a word of its own or behind `=`. */
export function hasOption(words: readonly string[], options: readonly string[], value: string): boolean {
  return words.some(
    (word, index) =>
      (options.includes(word) && words[index + 1] === value) ||
      options.some((option) => word === `${option}=${value}`),
  )
}

/** A path of `OwnFolders` on this machine; `null` where the variable that it begins with is not set. Pure. */
export function placeOf(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string | null {
  if (!path.startsWith('$')) return `${home}/${path}`
  const [variable = '', ...rest] = path.slice(1).split('/')
  const folder = environment[variable]
  return folder === undefined || folder === '' ? null : [folder, ...rest].join('/')
}
