import type { FigureScope } from '../activity/join.ts'
import type { PermissionRule } from '../activity/permission-rule.ts'
import type { StreamParser } from './streams/stream-parser.ts'

/** `print`: runs once per prompt and prints its events on stdout. `acp`: speaks the Agent Client Protocol. */
export type AgentMode = 'print' | 'acp'

/** What the operator allows and denies. */
export interface Permissions {
  readonly allow: readonly PermissionRule[]
  readonly deny: readonly PermissionRule[]
}

/** Permissions in a program's own syntax. */
export interface Grants {
  readonly arguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Requests that this program can't fulfill, one sentence each. */
  readonly notes: readonly string[]
}

/** What a program supports in print mode. */
export interface Capabilities {
  /** True if tool calls and messages arrive as events. */
  readonly events: boolean
  /** True if its events show a denied tool. */
  readonly denials: boolean
  /** True if an ended session accepts another prompt. */
  readonly resume: boolean
  /** True if it reports tokens. */
  readonly usage: boolean
  /** True if it reports cost. */
  readonly cost: boolean
  /** True if it supports MCP servers. */
  readonly mcp: boolean
}

/** An MCP server that uses standard input and output. */
export interface McpServerEntry {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How a print-mode program gets an additional server for one run, without changes to its settings. */
export interface McpEquipment {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How to find out whether a program is logged in without asking its service. */
export interface LoginCheck {
  /** Variables that replace a login. */
  readonly variables: readonly string[]
  /** Files that contain a login; written as in `OwnFolders`. */
  readonly files: readonly string[]
  /** A command that exits with 0 if someone is logged in, and with `loggedOutExitCode` if not. */
  readonly status: { readonly arguments: readonly string[]; readonly loggedOutExitCode: number } | null
  /** True if a login would always be in one of these; false if it may be elsewhere, such as in a keychain. */
  readonly conclusive: boolean
}

/**
 * A program's own files: relative to the home folder, or, as `$NAME` or `$NAME/…`, to the folder that this variable names, if
 * set (`placeOf`). The program can see and write all of them. What it writes there is discarded after the attempt, except for
 * what is listed here as kept.
 */
export interface OwnFolders {
  /** Its configuration, login, memory and caches, which it needs to work. No other program sees them. */
  readonly places: readonly string[]
  /** Logins that it refreshes itself. */
  readonly logins: readonly KeptLogin[]
  /** Files in which it saves sessions for resuming; `*` in a name matches any part of it. */
  readonly transcripts: readonly string[]
}

/** A JSON file that contains a login, and may contain settings too. */
export interface KeptLogin {
  /** A `*` in a name matches any part of it. */
  readonly file: string
  /**
   * The strings and numbers in it that the program refreshes, written as `a.b`; `*` matches any key. Only these are kept, and only if they
   * existed before.
   */
  readonly renewed: readonly string[]
  /** The field that identifies the account, written as `a.b`. Another account's login is not kept. */
  readonly account?: string
}

/** The event stream of a program's print mode. */
export interface StreamFormat {
  /** `words`: the arguments the program was started with. */
  readonly createParser: (words: readonly string[]) => StreamParser
  /** Returns whether these arguments request this stream. */
  readonly isAskedFor: (words: readonly string[]) => boolean
  /**
   * Returns the command that resumes an ended session, with its prompt on stdin or as a further argument as before; `null` if it can't
   * resume.
   */
  readonly resume: ((command: readonly string[], sessionId: string) => readonly string[]) | null
  /** What the figures of a second run in a session cover. */
  readonly resumedFigures: FigureScope
}

export interface PrintMode {
  /** `null`: it prints its answer as plain text and doesn't report what it does. */
  readonly stream: StreamFormat | null
  /** The words before the permissions and the operator's own arguments. */
  readonly command: readonly string[]
  /** The words after them. */
  readonly lastArguments: readonly string[]
  readonly modelOption: string
  readonly grants: (permissions: Permissions) => Grants
  /** Passes it a server by its arguments or environment; `null` if it reads servers only from its settings. */
  readonly equip: ((command: readonly string[], server: McpServerEntry) => McpEquipment) | null
  readonly capabilities: Capabilities
  /** Useful remarks, one sentence each. */
  readonly remarks: readonly string[]
}

/** What a program reports about its service outside the protocol: that it retries, or that its turn has failed. */
export type ServiceTrouble = { readonly kind: 'retry'; readonly words: string } | { readonly kind: 'failed' }

export interface AcpMode {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** True if it shows more over ACP than in print mode, which makes ACP the default. */
  readonly isPreferred?: boolean
  /** How to install the adapter, if it is a separate program. */
  readonly install: string | null
  /** True if it reads files itself, because it can't create a file over ACP: it treats a missing file as a failure. */
  readonly readsByItself?: boolean
  /** True if it was observed to report each edit and command with its result, so that what it doesn't report was not done. */
  readonly showsWork: boolean
  /** The session mode in which it asks before doing anything that is not granted, if that is not its initial mode. */
  readonly askingMode?: (permissions: Permissions) => string
  /** The session mode without the program's own sandbox, for use in ours; `null` if that would allow more than was granted. */
  readonly modeInOurs?: (permissions: Permissions) => string | null
  /** Matches its whole message if its service failed: it reports that as its answer and ends the turn normally. */
  readonly saysFailure?: RegExp
  /** Returns what an update says about its service in a separate field; `null` if nothing. */
  readonly readTrouble?: (update: Readonly<Record<string, unknown>>) => ServiceTrouble | null
  /** Returns why it retries its service, if a line on its stderr says so; otherwise `null`. */
  readonly readErrorLine?: (line: string) => string | null
  /** What the figures of a second turn cover, if not the session. */
  readonly figures?: FigureScope
}

/** Everything that is known about one agent program. Measure again when its version changes. */
export interface AgentProgram {
  readonly name: string
  /** The program's name on PATH. */
  readonly program: string
  /** What to do if it is not installed. */
  readonly install: string
  /** What to do if no one is logged in: a sentence. */
  readonly loginHint: string
  readonly login: LoginCheck
  readonly folders: OwnFolders
  /** Variables that look like secrets but that it needs, so they are passed on. */
  readonly passEnvironment: readonly string[]
  /** Options with which it does anything without asking: `--yolo`, `--sandbox=danger-full-access`. */
  readonly dangerousOptions: readonly string[]
  /**
   * Set if it has its own sandbox, which fails inside another one. `leftOff` returns its print-mode command without that sandbox, for use
   * in ours; `null` if that would allow more than was granted.
   */
  readonly ownSandbox?: { readonly leftOff: (command: readonly string[]) => readonly string[] | null }
  readonly print: PrintMode | null
  readonly acp: AcpMode | null
  /** The version that all this was measured on; `null` if it was taken from the documentation. */
  readonly measuredVersion: string | null
}

export const NO_LOGIN_KNOWN: LoginCheck = { variables: [], files: [], status: null, conclusive: false }

/** API keys of services that a program with any provider may use. */
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

/** For programs whose runs each report their own figures. */
export const PER_RUN: FigureScope = { tokens: 'run', cost: 'run' }

/** Returns whether the words contain an option with this value, as a separate word or after `=`. */
export function hasOption(words: readonly string[], options: readonly string[], value: string): boolean {
  return words.some(
    (word, index) =>
      (options.includes(word) && words[index + 1] === value) ||
      options.some((option) => word === `${option}=${value}`),
  )
}

/** Returns a path of `OwnFolders` on this machine; `null` if the variable that it begins with is not set. Pure. */
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
