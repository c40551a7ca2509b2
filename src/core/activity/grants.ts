/*
 * The entries of `[agent] allow` and `deny`: `KIND`, or `KIND:TARGET`. KIND is the kind of tool in one word (`edit`, `execute`,
 * `fetch` …). TARGET is a command, a path within the workspace or an address; it stands for itself and for what it is a whole
 * beginning of: `npm test` for `npm test --watch`, `docs` for `docs/a.md`, `https://a.org/b` for `https://a.org/b/c`.
 *
 * Beginnings are looked for in plain words only. A command line that a shell would take apart, or an address that climbs
 * (`..`), is allowed by the very same text or not at all. Denying is the other way round: each part of such a line counts.
 */

/** A file or folder that a tool is to be used on. */
export interface ToolPath {
  /** As the agent names it. */
  readonly given: string
  /** Relative to the workspace, symbolic links resolved, `/` between names; `null`: it lies outside. */
  readonly inside: string | null
}

/** What an agent asks leave for. */
export interface ToolRequest {
  /** Kind of tool in one word. */
  readonly kind: string
  /** The command line of an `execute`; `null` where it names none. */
  readonly command: string | null
  readonly paths: readonly ToolPath[]
  /** Of a `fetch`; `null` where it names none. */
  readonly address: string | null
}

/** What the policy says of a request. `entry` is the entry of `allow` or `deny` that decided. */
export type PolicyAnswer =
  | { readonly kind: 'allowed'; readonly entry: string }
  | { readonly kind: 'denied'; readonly entry: string }
  /** No entry is about it. `grant`: the entry of `allow` that would be; `null` where none can be. */
  | { readonly kind: 'open'; readonly grant: string | null }

interface Grant {
  readonly kind: string
  /** `null`: whatever the target. */
  readonly target: string | null
}

/** Tool kinds that change or read files. */
const PATH_KINDS = ['edit', 'delete', 'move', 'read', 'search']
/** What a shell takes apart, replaces or runs on its own account; control characters and other line ends included. */
const SHELL_OPERATOR = /[;&|<>`$(){}\\!\u2028\u2029]|(?!\t)\p{Cc}/u
const COMMAND_PARTS = /[;&|<>`$(){}\p{Cc}\u2028\u2029"']+/u

/**
 * What `allow` and `deny` say of a request; an entry of `deny` goes before all of `allow`. Nothing that touches a path outside
 * the workspace is ever allowed here. A request that names no target is met by entries that name none. Pure; never throws.
 */
export function askPolicy(
  request: ToolRequest,
  allow: readonly string[],
  deny: readonly string[],
): PolicyAnswer {
  const refusal = deny.find((entry) => isDenied(request, parseGrant(entry)))
  if (refusal !== undefined) return { kind: 'denied', entry: refusal }
  if (request.paths.some(({ inside }) => inside === null)) return { kind: 'open', grant: null }
  const entry = allow.find((candidate) => isAllowed(request, parseGrant(candidate)))
  if (entry !== undefined) return { kind: 'allowed', entry }
  return { kind: 'open', grant: grantFor(request) }
}

function parseGrant(entry: string): Grant {
  const colon = entry.indexOf(':')
  if (colon < 0) return { kind: entry.trim(), target: null }
  return { kind: entry.slice(0, colon).trim(), target: entry.slice(colon + 1).trim() }
}

/** The narrowest entry of `allow` that would have allowed it and is worth writing down. */
function grantFor({ kind, command, address }: ToolRequest): string {
  if (kind === 'execute' && command !== null && !/[\r\n]/.test(command)) return `execute:${command.trim()}`
  if (kind === 'fetch' && address !== null) return `fetch:${originOf(address)}`
  return kind
}

function originOf(address: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s\\]+/i.exec(address)?.[0] ?? address
}

function isAllowed(request: ToolRequest, { kind, target }: Grant): boolean {
  if (kind !== request.kind) return false
  if (target === null) return true
  if (kind === 'execute') return request.command !== null && beginsCommand(request.command, target)
  if (kind === 'fetch') return request.address !== null && beginsAddress(request.address, target)
  if (!PATH_KINDS.includes(kind) || request.paths.length === 0) return false
  return request.paths.every(({ inside }) => inside !== null && isWithin(inside, target))
}

function isDenied(request: ToolRequest, { kind, target }: Grant): boolean {
  if (kind !== request.kind) return false
  if (target === null) return true
  if (kind === 'execute') return request.command !== null && mentionsCommand(request.command, target)
  if (kind === 'fetch') return request.address !== null && mentionsAddress(request.address, target)
  return request.paths.some(({ given, inside }) => isWithin(inside ?? given, target))
}

function beginsCommand(command: string, target: string): boolean {
  const line = command.trim()
  if (line === target) return true
  if (SHELL_OPERATOR.test(line) || SHELL_OPERATOR.test(target) || target === '') return false
  return line.startsWith(target) && /\s/.test(line.charAt(target.length))
}

/** Whether any part of a command line, or of what it hands to another program, begins with the words of `target`. */
function mentionsCommand(command: string, target: string): boolean {
  if (command.trim() === target) return true
  const wanted = words(target)
  if (wanted.length === 0) return false
  return command.split(COMMAND_PARTS).some((part) => {
    const said = words(part)
    return said.some((_word, start) =>
      wanted.every((word, index) => bareName(said[start + index] ?? '', index) === word),
    )
  })
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** `/bin/rm` is `rm` all the same. */
function bareName(word: string, index: number): string {
  return index === 0 ? word.slice(word.lastIndexOf('/') + 1) : word
}

function beginsAddress(address: string, target: string): boolean {
  if (address === target) return true
  if (/\.\.|[\\\s]/.test(address) || !address.startsWith(target)) return false
  return target.endsWith('/') || /[/?#]/.test(address.charAt(target.length))
}

function mentionsAddress(address: string, target: string): boolean {
  return address.toLowerCase().startsWith(target.toLowerCase())
}

function isWithin(path: string, target: string): boolean {
  const folder = target.replace(/^\.\//, '').replace(/\/+$/, '')
  if (folder === '' || folder === '.') return true
  return path === folder || path.startsWith(`${folder}/`)
}
