import { z } from 'zod'
import { TOOL_KINDS, type ToolKind } from '../../../core/activity/permission-rule.ts'
import type { AgentEvent, ToolStatus } from '../../../core/activity/types.ts'
import type { EditKind } from '../../../core/vocabulary/evidence.ts'
import { bounded } from './bounded.ts'

/*
 * The tool calls of a session. An agent announces one and then updates it, field by field; an omitted field is unchanged. No
 * field is required: one of the wrong type counts as omitted.
 */

/** The known fields of a tool call. */
export interface ToolCall {
  readonly id: string
  readonly kind: ToolKind
  /** The tool's own name if reported, otherwise its kind. */
  readonly tool: string
  readonly title: string
  readonly status: ToolStatus
  readonly command: string | null
  readonly exitCode: number | null
  readonly address: string | null
  /** The files as the agent names them, and what happens to each if reported. */
  readonly paths: ReadonlyMap<string, EditKind | null>
  /** Where a command runs. */
  readonly workingDirectory: string | null
  /** The MCP server of the tool, if reported. */
  readonly server: string | null
  /** The terminal in which it runs its command, if it uses one of the client's. */
  readonly terminalId: string | null
}

const MAX_CALLS = 1000
const MAX_PATHS = 200

const text = z.string().optional().catch(undefined)
const record = z.record(z.string(), z.unknown())
const diffSchema = z.object({
  type: z.literal('diff'),
  path: z.string().min(1),
  oldText: z.string().nullish().catch(undefined),
})
/** In the format of version 2 of the protocol. */
const changesSchema = z.object({
  type: z.literal('diff'),
  changes: z.array(
    z.object({ operation: z.string(), path: z.string().min(1), oldPath: z.string().min(1).optional() }),
  ),
})
const terminalSchema = z.object({ type: z.literal('terminal'), terminalId: z.string() })
const textContentSchema = z.object({
  type: z.literal('content'),
  content: z.object({ type: z.literal('text'), text: z.string() }),
})
const MAX_INPUT_TEXT = 64 * 1024
const updateSchema = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  content: z.array(z.unknown()).optional().catch(undefined),
  locations: z.array(z.unknown()).optional().catch(undefined),
  rawInput: record.optional().catch(undefined),
  rawOutput: z.unknown().optional(),
  _meta: record.optional().catch(undefined),
})

type Update = z.infer<typeof updateSchema>

const PATH_KEYS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'target_file']
const COMMAND_KEYS = ['command', 'cmd']
const DIRECTORY_KEYS = ['cwd', 'workdir', 'working_directory']
const ADDRESS_KEYS = ['url', 'uri']
const SERVER_KEYS = ['server_name', 'serverName', 'mcp_server']
const EXIT_KEYS = ['exitCode', 'exit_code', 'exit']

/** Keeps the latest state of each call. */
export class ToolCalls {
  readonly #calls = new Map<string, ToolCall>()
  readonly #denied = new Set<string>()

  /** Merges a call or an update of one; returns its current state, or `null` for anything else. */
  merge(raw: unknown): ToolCall | null {
    const update = updateSchema.safeParse(raw)
    if (!update.success) return null
    const known = this.#calls.get(update.data.toolCallId)
    const call = this.#withDenial(merged(update.data, known))
    this.#calls.set(call.id, call)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest)
    return call
  }

  /** Returns whether an edit of this file was reported and is still running. */
  isEditing(path: string, inside: string | null): boolean {
    return [...this.#calls.values()].some(
      ({ kind, status, paths }) =>
        kind === 'edit' &&
        status === 'started' &&
        (paths.has(path) || (inside !== null && paths.has(inside))),
    )
  }

  /** Returns the running call of this command line, ignoring a leading `cd`; `null` if there is none, or several. */
  running(line: string): string | null {
    const found = [...this.#calls.values()].filter(
      ({ kind, status, command }) =>
        kind === 'execute' && status === 'started' && command !== null && withoutFolder(line) === command,
    )
    return found.length === 1 ? (found[0]?.id ?? null) : null
  }

  /** Records how a call's command ended; returns the call, or `null` if it is unknown. */
  end(id: string, exitCode: number | null): ToolCall | null {
    const call = this.#calls.get(id)
    if (call === undefined) return null
    const ended = this.#withDenial({ ...call, exitCode, status: exitCode === 0 ? 'succeeded' : 'failed' })
    this.#calls.set(id, ended)
    return ended
  }

  /** Records that permission was refused: the call counts as denied, whatever the agent reports later. */
  deny(id: string): ToolCall | null {
    this.#denied.add(id)
    const call = this.#calls.get(id)
    if (call === undefined) return null
    const denied = this.#withDenial(call)
    this.#calls.set(id, denied)
    return denied
  }

  #withDenial(call: ToolCall): ToolCall {
    return this.#denied.has(call.id) ? { ...call, status: 'denied' } : call
  }
}

function merged(update: Update, known: ToolCall | undefined): ToolCall {
  const input = update.rawInput ?? inputInContent(update.content)
  const declared =
    update.kind === undefined ? known?.kind : (TOOL_KINDS.find((kind) => kind === update.kind) ?? 'other')
  const command = commandOf(input) ?? known?.command ?? null
  // A call of no kind that has a command line runs a command, whatever its name.
  const kind = declared === undefined || declared === 'other' ? kindOfInput(command, declared) : declared
  const title = bounded(update.title ?? known?.title ?? '')
  return {
    id: update.toolCallId,
    kind,
    tool: bounded(update.name ?? toolNameIn(update._meta) ?? known?.tool ?? update.kind ?? kind),
    title,
    status: update.status === undefined ? (known?.status ?? 'started') : statusOf(update.status),
    command: command ?? (kind === 'execute' ? commandInTitle(title) : null),
    exitCode: exitCodeOf(update.rawOutput) ?? known?.exitCode ?? null,
    address: textOf(input, ADDRESS_KEYS) ?? known?.address ?? null,
    paths: new Map([...(known?.paths ?? []), ...pathsOf(update, kind)].slice(0, MAX_PATHS)),
    workingDirectory: textOf(input, DIRECTORY_KEYS) ?? known?.workingDirectory ?? null,
    server: textOf(input, SERVER_KEYS) ?? known?.server ?? null,
    terminalId: terminalIn(update.content) ?? known?.terminalId ?? null,
  }
}

/** Programs prepend `cd FOLDER &&` to what they run. */
function withoutFolder(line: string): string {
  return line.replace(/^cd (?:'[^']*'|"[^"]*"|[^\s;&|]+) && /, '')
}

function terminalIn(content: readonly unknown[] | undefined): string | null {
  for (const item of content ?? []) {
    const terminal = terminalSchema.safeParse(item).data
    if (terminal !== undefined) return terminal.terminalId
  }
  return null
}

function kindOfInput(command: string | null, declared: ToolKind | undefined): ToolKind {
  return command === null ? (declared ?? 'other') : 'execute'
}

function statusOf(status: string): ToolStatus {
  if (status === 'completed') return 'succeeded'
  return status === 'failed' || status === 'cancelled' ? 'failed' : 'started'
}

function pathsOf({ content, locations, rawInput = {} }: Update, kind: ToolKind) {
  const paths = new Map<string, EditKind | null>()
  const change = kind === 'delete' ? 'deleted' : null
  for (const key of PATH_KEYS) {
    const path = rawInput[key]
    if (typeof path === 'string' && path !== '') paths.set(path, change)
  }
  for (const path of Object.keys(record.safeParse(rawInput.changes).data ?? {})) paths.set(path, change)
  for (const location of locations ?? []) {
    const path = record.safeParse(location).data?.path
    if (typeof path === 'string' && path !== '') paths.set(path, change)
  }
  for (const item of content ?? []) {
    const diff = diffSchema.safeParse(item).data
    if (diff !== undefined) paths.set(diff.path, typeof diff.oldText === 'string' ? 'modified' : 'created')
    for (const { operation, path, oldPath } of changesSchema.safeParse(item).data?.changes ?? []) {
      paths.set(path, CHANGES[operation] ?? null)
      if (operation === 'move' && oldPath !== undefined) paths.set(oldPath, 'deleted')
    }
  }
  return paths
}

const CHANGES: Readonly<Record<string, EditKind>> = {
  add: 'created',
  copy: 'created',
  move: 'created',
  modify: 'modified',
  delete: 'deleted',
}

function commandOf(input: Readonly<Record<string, unknown>>): string | null {
  for (const key of COMMAND_KEYS) {
    const command = input[key]
    if (typeof command === 'string' && command.trim() !== '') return withArguments(command, input.args)
    const words = z.array(z.string()).min(1).safeParse(command).data
    if (words !== undefined) return commandLine(words)
  }
  return null
}

function withArguments(command: string, given: unknown): string {
  const words = z.array(z.string()).safeParse(given).data ?? []
  return words.length === 0 ? command : commandLine([command, ...words])
}

/** Returns the line for a shell; a script passed to a shell is the command line itself. */
export function commandLine(words: readonly string[]): string {
  const [program = '', option = '', script] = words
  const isShell = /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(program) && /^-[a-z]*c$/.test(option)
  if (isShell && script !== undefined && words.length === 3) return script
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Names of tools that run commands, before the command is known. */
const NO_COMMAND =
  /^(?:terminal|bash|shell|powershell|execute|exec|run|run (?:a )?(?:shell )?command|run_shell_command|local_shell)$/i

function commandInTitle(title: string): string | null {
  const plain = /^`([^`]+)`$/.exec(title.trim())?.[1] ?? title.trim()
  return plain === '' || NO_COMMAND.test(plain) ? null : plain
}

/** Reads the request from the text, where some programs put it as JSON. */
function inputInContent(content: readonly unknown[] | undefined): Record<string, unknown> {
  for (const item of content ?? []) {
    const text = textContentSchema.safeParse(item).data?.content.text.trim() ?? ''
    const json = /^(?:```json\s*)?(\{[\s\S]*\})\s*(?:```)?$/.exec(text.slice(0, MAX_INPUT_TEXT))?.[1]
    if (json === undefined) continue
    try {
      return record.parse(JSON.parse(json))
    } catch {
      // Just text in braces.
    }
  }
  return {}
}

function toolNameIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const nested = record.safeParse(meta?.claudeCode).data
  const name = meta?.toolName ?? nested?.toolName
  return typeof name === 'string' && name !== '' ? name : undefined
}

function textOf(input: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  const found = keys.map((key) => input[key]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? bounded(found) : null
}

/** Reads the exit code from a field, or from the start of the output if that is text or the protocol's own content. */
function exitCodeOf(output: unknown): number | null {
  const fields = record.safeParse(output).data
  if (fields === undefined) return exitCodeInText(textOfOutput(output))
  const metadata = record.safeParse(fields.metadata).data ?? {}
  const found = [fields, metadata].flatMap((place) => EXIT_KEYS.map((key) => place[key]))
  const code = found.find((value) => typeof value === 'number' && Number.isInteger(value))
  return typeof code === 'number' ? code : null
}

function textOfOutput(output: unknown): string {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return ''
  const [first] = output.slice(0, 1)
  const item = record.safeParse(first).data ?? {}
  const text = item.text ?? textContentSchema.safeParse(first).data?.content.text
  return typeof text === 'string' ? text : ''
}

function exitCodeInText(text: string): number | null {
  const stated = /^(?:Error: )?(?:```\w*\s*)?Exit code:? (\d{1,3})\b/.exec(text.trimStart())?.[1]
  return stated === undefined ? null : Number(stated)
}

/** Returns the events that show a call to the operator: an edit for each path, a command, or another tool. */
export function eventsOf(call: ToolCall): readonly AgentEvent[] {
  const { id, tool, status, kind } = call
  const paths = [...call.paths]
  if ((kind === 'edit' || kind === 'delete' || kind === 'move') && paths.length > 0) {
    return paths.map(([path, change], index) => ({
      kind: 'edit',
      // Events with the same id are states of one thing, so each file needs its own id.
      callId: index === 0 ? id : `${id}#${index}`,
      tool,
      path: bounded(path),
      change,
      status,
    }))
  }
  if (kind === 'execute') {
    // A name alone is not a command: report the call once its command is known, or when it is over.
    if (call.command === null && status === 'started') return []
    const command = bounded(call.command ?? call.title)
    return [{ kind: 'command', callId: id, tool, command, exitCode: call.exitCode, status }]
  }
  return [{ kind: 'tool', callId: id, tool, detail: call.title || call.address || '', status }]
}
