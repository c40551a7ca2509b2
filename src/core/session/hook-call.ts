import { z } from 'zod'
import { readJson } from '../text/json.ts'
import type { HookEvent } from '../vocabulary/hook-event.ts'
import type { SessionAgent } from '../vocabulary/session.ts'

/** What a program tells its hook, in one form for all programs. The text is untrusted, and limited in size. */
export interface HookCall {
  readonly event: HookEvent
  /** `null`: the program doesn't name its session. */
  readonly sessionId: string | null
  /** Id of the prompt or turn, if the program has one. */
  readonly turnId: string | null
  /** Id of the agent's last message, if the program keeps no transcript that distinguishes stops. */
  readonly messageId: string | null
  readonly cwd: string | null
  /** The agent's last message; `null`: the program doesn't include it. */
  readonly lastMessage: string | null
  /** The program's transcript; read if the program doesn't include the last message. */
  readonly transcriptPath: string | null
  /** True if the program says that the hook has already sent the agent back. */
  readonly isAgain: boolean
  /** True if the hook could not read the program's input: only the ids are known. */
  readonly isUnreadable: boolean
  /** True if it isn't a real start: the program only compacted its context. */
  readonly isContinued: boolean
  /** Why this stop is not the end of a turn; `null`: it is. */
  readonly inFlight: string | null
  /** Text of a prompt event. */
  readonly prompt: string | null
  /** What a tool is about to write, from a tool event. */
  readonly writes: readonly FileWrite[]
  /** The shell command about to be run, from a tool event. */
  readonly command: string | null
  /** The configuration file that changed, from a configuration event. */
  readonly configPath: string | null
}

export interface FileWrite {
  readonly path: string
  /** The complete new text; `null`: parts of the old one are replaced. */
  readonly content: string | null
  readonly replacements: readonly { readonly from: string; readonly to: string; readonly all: boolean }[]
}

const MAX_ID = 200
const MAX_PATH = 4096
/** A longer message is a log; the part that counts is at its end. */
const MAX_MESSAGE = 256 * 1024

type Fields = Readonly<Record<string, unknown>>

const fieldsSchema = z.record(z.string(), z.unknown())

/**
 * Parses what a program wrote to its hook. Returns `null` if that is not a JSON object. Ignores unknown and odd fields, because a newer
 * version of a program may add or change any. Pure; never throws.
 */
export function readHookCall(agent: SessionAgent, event: HookEvent, text: string): HookCall | null {
  const fields = readJson(fieldsSchema, text)
  if (fields === null) return null
  return {
    event,
    sessionId: textIn(fields, ['session_id', 'sessionId', 'conversation_id', 'sessionID'], MAX_ID),
    turnId: textIn(fields, ['prompt_id', 'turn_id', 'generation_id', 'promptId'], MAX_ID),
    messageId: textIn(fields, ['message_id'], MAX_ID),
    cwd: textIn(fields, ['cwd'], MAX_PATH) ?? firstText(fields.workspace_roots),
    lastMessage: messageIn(fields),
    transcriptPath: textIn(fields, ['transcript_path', 'transcriptPath'], MAX_PATH),
    isAgain:
      fields.stop_hook_active === true || (typeof fields.loop_count === 'number' && fields.loop_count > 0),
    isUnreadable: fields.pulseward_unreadable === true,
    isContinued: fields.source === 'compact',
    inFlight: inFlightOf(agent, fields),
    prompt: longText(fields.prompt) ?? longText(fields.initialPrompt),
    writes: writesOf(fields),
    command: commandOf(fields),
    configPath: textIn(fields, ['file_path', 'filePath'], MAX_PATH),
  }
}

function textIn(fields: Fields, names: readonly string[], max: number): string | null {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '' && value.length <= max && !value.includes('\0'))
      return value
  }
  return null
}

function firstText(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return typeof first === 'string' && first !== '' && first.length <= MAX_PATH ? first : null
}

function longText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(-MAX_MESSAGE) : null
}

function messageIn(fields: Fields): string | null {
  return (
    longText(fields.last_assistant_message) ??
    longText(fields.prompt_response) ??
    longText(fields.lastAssistantMessage)
  )
}

const ENDED: ReadonlySet<unknown> = new Set([
  'completed',
  'done',
  'exited',
  'failed',
  'killed',
  'stopped',
  'cancelled',
  'canceled',
  'error',
])

/** Returns why the agent is not done, whatever it says: a background task is still running, or it will be woken. */
function inFlightOf(agent: SessionAgent, fields: Fields): string | null {
  if (isFilled(fields.background_tasks, ({ status }) => !ENDED.has(status)))
    return 'background tasks are still running'
  if (isFilled(fields.session_crons, () => true)) return 'the agent will be woken on a schedule'
  if (typeof fields.agent_id === 'string' && fields.agent_id !== '') return 'a subagent ended, not the agent'
  if (fields.permission_mode === 'plan') return 'the agent is planning'
  const status = fields.status ?? fields.stopReason ?? fields.stop_reason
  if (agent === 'cursor' && (status === 'aborted' || status === 'error')) return 'the turn was interrupted'
  if (status === 'cancelled' || status === 'aborted' || status === 'user_cancelled')
    return 'the turn was interrupted'
  return null
}

function isFilled(value: unknown, isRunning: (one: Fields) => boolean): boolean {
  if (!Array.isArray(value)) return false
  return value.some((one) => typeof one === 'object' && one !== null && isRunning(one as Fields))
}

const MAX_WRITES = 50

/** Returns the writes of a tool call. Programs use only a few names for the field with the file; a patch names its files in its text. */
function writesOf(fields: Fields): readonly FileWrite[] {
  const input = inputOf(fields)
  if (input === null) return []
  const named = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path'].flatMap((name) => {
    const path = input[name]
    return typeof path === 'string' && path !== '' && path.length <= MAX_PATH
      ? [{ path, ...editOf(input) }]
      : []
  })
  // OpenCode calls a patch `patchText`; some programs send it as the whole input.
  const patch = ['patch', 'patchText', 'input', 'command'].flatMap((name) => longText(input[name]) ?? [])[0]
  return [...named, ...(patch === undefined ? [] : writesOfPatch(patch))].slice(0, MAX_WRITES)
}

function editOf(input: Fields): Omit<FileWrite, 'path'> {
  const content = [input.content, input.file_text, input.contents].find((text) => typeof text === 'string')
  const several: readonly unknown[] = Array.isArray(input.edits) ? input.edits : []
  const replacements = [input, ...several].flatMap((one) => {
    const fields = (one ?? {}) as Fields
    const from = fields.old_string ?? fields.old_str ?? fields.oldString
    const to = fields.new_string ?? fields.new_str ?? fields.newString
    const all = fields.replace_all === true || fields.replaceAll === true
    return typeof from === 'string' && typeof to === 'string' && from !== '' ? [{ from, to, all }] : []
  })
  return { content: content ?? null, replacements: replacements.slice(0, MAX_WRITES) }
}

/** `*** Add File: PATH` with `+` lines, `*** Update File: PATH` with hunks after `@@`, `*** Delete File: PATH`. */
const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.{1,4096})$/

function writesOfPatch(patch: string): readonly FileWrite[] {
  const writes: { path: string; kind: string; hunks: string[][] }[] = []
  for (const line of patch.split(/\r?\n/)) {
    const [, kind, path] = PATCHED.exec(line) ?? []
    if (kind !== undefined && path !== undefined) writes.push({ path: path.trim(), kind, hunks: [[]] })
    else if (line.startsWith('@@')) writes.at(-1)?.hunks.push([])
    else if (/^[ +-]/.test(line)) writes.at(-1)?.hunks.at(-1)?.push(line)
  }
  return writes.map(({ path, kind, hunks }) => ({
    path,
    content: kind === 'Update' ? null : textOf(hunks.flat(), '+'),
    replacements: hunks.flatMap((lines) => {
      const [from, to] = [textOf(lines, ' -'), textOf(lines, ' +')]
      return kind === 'Update' && lines.length > 0 ? [{ from, to, all: false }] : []
    }),
  }))
}

function textOf(lines: readonly string[], kinds: string): string {
  const kept = lines.filter((line) => kinds.includes(line[0] ?? '')).map((line) => line.slice(1))
  return kept.join('\n')
}

function commandOf(fields: Fields): string | null {
  const command = inputOf(fields)?.command
  const words: readonly unknown[] = Array.isArray(command) ? command : [command]
  const text = words.filter((word) => typeof word === 'string').join(' ')
  return text === '' ? null : text.slice(0, MAX_MESSAGE)
}

function inputOf(fields: Fields): Fields | null {
  const value = fields.tool_input ?? fields.toolInput ?? fields.toolArgs ?? fields.args
  const input = typeof value === 'string' ? readJson(fieldsSchema, value) : fieldsSchema.safeParse(value).data
  return input ?? null
}
