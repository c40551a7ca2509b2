import {
  type PermissionRule,
  parsePermissionRule,
  splitCommandPattern,
  type ToolKind,
} from './permission-rule.ts'

/*
 * Decides a request using the entries of `[agent] allow` and `deny` (permission-rule.ts).
 *
 * `execute:npm run *` allows further words only in plain command lines. A line with shell syntax, or an address with `..`,
 * must be allowed verbatim. Denying works the other way: a rule applies if any part of such a line matches, and extra
 * words don't evade it.
 */

/** A file or folder that a tool would use. */
export interface ToolPath {
  /** The agent's own name for it. */
  readonly given: string
  /** Relative to the workspace, with symbolic links resolved and `/` between names; `null` if it is outside. */
  readonly inside: string | null
}

/** What an agent requests permission for. */
export interface ToolRequest {
  readonly kind: ToolKind
  /** The command line of an `execute`; `null` if it names none. */
  readonly command: string | null
  readonly paths: readonly ToolPath[]
  /** The address of a `fetch`; `null` if it names none. */
  readonly address: string | null
}

/** The policy's answer to a request. `entry` is the entry of `allow` or `deny` that decided. */
export type PolicyAnswer =
  | { readonly kind: 'allowed'; readonly entry: string }
  | { readonly kind: 'denied'; readonly entry: string }
  /** No entry matches. `grant` is the entry of `allow` that would match; `null` if none can. */
  | { readonly kind: 'open'; readonly grant: string | null }

/** Tool kinds that change files: an entry for `edit` applies to all of them. */
const CHANGES: readonly ToolKind[] = ['edit', 'delete', 'move']
/** Characters with which a shell splits, substitutes or executes, including control characters and other line ends. */
const SHELL_OPERATOR = /[;&|<>`$(){}\\!\u2028\u2029]|(?!\t)\p{Cc}/u
const COMMAND_PARTS = /[;&|<>`$(){}\p{Cc}\u2028\u2029"']+/u

/**
 * Returns what `allow` and `deny` say about a request; `deny` takes precedence. Nothing that touches a path outside the
 * workspace is ever allowed here. A request that names no target matches entries without a target. Pure; never throws.
 */
export function askPolicy(
  request: ToolRequest,
  allow: readonly string[],
  deny: readonly string[],
): PolicyAnswer {
  const refusal = deny.find((entry) => meets(entry, request, isDenied))
  if (refusal !== undefined) return { kind: 'denied', entry: refusal }
  if (request.paths.some(({ inside }) => inside === null)) return { kind: 'open', grant: null }
  const entry = allow.find((candidate) => meets(candidate, request, isAllowed))
  if (entry !== undefined) return { kind: 'allowed', entry }
  return { kind: 'open', grant: grantFor(request) }
}

/** Returns the narrowest sensible entry of `allow` that would have allowed it. */
function grantFor({ kind, command, address }: ToolRequest): string {
  const tool = CHANGES.includes(kind) ? 'edit' : kind
  const target = kind === 'execute' ? command : kind === 'fetch' ? hostOf(address) : null
  const entry = target === null ? tool : `${tool}:${target.trim()}`
  return parsePermissionRule(entry) === null ? tool : entry
}

function meets(
  entry: string,
  request: ToolRequest,
  isMet: (request: ToolRequest, pattern: string) => boolean,
): boolean {
  const rule = parsePermissionRule(entry)
  if (rule === null || !isAbout(rule, request.kind)) return false
  return rule.pattern === null || isMet(request, rule.pattern)
}

function isAbout({ tool }: PermissionRule, kind: ToolKind): boolean {
  return tool === kind || (tool === 'edit' && CHANGES.includes(kind))
}

function isAllowed({ kind, command, address, paths }: ToolRequest, pattern: string): boolean {
  if (kind === 'execute') return command !== null && allowsCommand(pattern, command)
  if (kind === 'fetch') return hostOf(address) === pattern.toLowerCase()
  return paths.length > 0 && paths.every(({ inside }) => inside !== null && matchesPath(pattern, inside))
}

function isDenied({ kind, command, address, paths }: ToolRequest, pattern: string): boolean {
  if (kind === 'execute') return command !== null && mentionsCommand(command, pattern)
  if (kind === 'fetch') return hostOf(address) === pattern.toLowerCase()
  return paths.some(({ given, inside }) => matchesPath(pattern, inside ?? given))
}

function allowsCommand(pattern: string, command: string): boolean {
  const line = command.trim()
  if (line === pattern) return true
  const { command: beginning, open } = splitCommandPattern(pattern)
  if (!open || SHELL_OPERATOR.test(line)) return false
  if (beginning === '' || line === beginning) return true
  return line.startsWith(beginning) && /\s/.test(line.charAt(beginning.length))
}

/** Returns whether any part of a command line, or of what it passes to another program, begins with the words of `pattern`. */
function mentionsCommand(command: string, pattern: string): boolean {
  if (command.trim() === pattern) return true
  const wanted = words(splitCommandPattern(pattern).command)
  if (wanted.length === 0) return true
  // A shell drops these characters: `r"m"` and `\rm` are `rm`.
  const parts = [...command.split(COMMAND_PARTS), ...command.replaceAll(/["'\\]/g, '').split(COMMAND_PARTS)]
  return parts.some((part) => {
    const said = words(part)
    return said.some((_word, start) =>
      wanted.every((word, index) => {
        const other = said[start + index] ?? ''
        return index === 0 ? namesProgram(other, word) : other === word
      }),
    )
  })
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/**
 * Returns whether a word names a program, in another folder or under another path too: `/bin/rm` is `rm`, `rm` may be `/bin/rm`, and
 * `./deploy.sh` is also `deploy.sh` or that file by its whole path.
 */
function namesProgram(said: string, wanted: string): boolean {
  const one = fromHere(said)
  const other = fromHere(wanted)
  if (one === other || one.endsWith(`/${other.replace(/^\/+/, '')}`)) return true
  return other.startsWith('/') && !one.includes('/') && one !== '' && other.endsWith(`/${one}`)
}

function fromHere(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

/** Returns the host of an address, in lower case; `null` if it is not a plain web address. */
function hostOf(address: string | null): string | null {
  const host = /^https?:\/\/(?:[^/?#@\s\\]*@)?([^/?#@:\s\\]+)(?::\d+)?(?:[/?#]|$)/i.exec(address ?? '')?.[1]
  // With the root's dot it is the same host.
  return host?.toLowerCase().replace(/\.$/, '') ?? null
}

/** Returns whether a pattern matches: `**` any folders, `*` and `?` characters within one name, a folder everything in it. */
function matchesPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  if (plain === '' || plain === '.') return true
  const source = plain.replace(/\*\*\/?|[*?]|[^*?]+/g, (piece) => GLOB_PIECES[piece] ?? escaped(piece))
  return new RegExp(`^${source}(?:/.*)?$`, 's').test(path)
}

const GLOB_PIECES: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

function escaped(text: string): string {
  return text.replace(/[.+^${}()|[\]\\]/g, '\\$&')
}
