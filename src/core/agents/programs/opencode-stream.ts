import type { z } from 'zod'
import type { AgentEvent, AgentEventOf, ToolStatus } from '../../activity/types.ts'
import { type CallStart, createCallTracker } from '../streams/call-tracker.ts'
import { failed } from '../streams/failure.ts'
import {
  anything,
  fields,
  longText,
  optionalBoolean,
  optionalNumber,
  optionalText,
  type RawEvent,
  type StreamParser,
  shortText,
  usageEvent,
} from '../streams/stream-parser.ts'

/*
 * `opencode run --format json`. It has no separate last event: the turn ends with a `step_finish` that has a reason other than
 * `tool-calls`. A denied tool ends the run silently after such an event. Only its log says that its service refused a request
 * and that it retries; it prints the log on stderr if asked to (`LOGS`).
 */

/** Makes it print its errors on stderr. */
export const LOGS: readonly string[] = ['--print-logs', '--log-level', 'ERROR']

const partSchema = fields({
  text: optionalText,
  tool: optionalText,
  callID: optionalText,
  id: optionalText,
  reason: optionalText,
  cost: optionalNumber,
  tokens: fields({
    input: optionalNumber,
    output: optionalNumber,
    cache: fields({ read: optionalNumber, write: optionalNumber }),
  }),
  state: fields({
    status: optionalText,
    input: anything,
    error: optionalText,
    metadata: fields({ exit: optionalNumber, exists: optionalBoolean, filepath: optionalText }),
  }),
})

const eventSchema = fields({
  sessionID: optionalText,
  part: partSchema,
  error: fields({
    name: optionalText,
    data: fields({ message: optionalText, statusCode: optionalNumber }),
  }),
})

type Part = z.infer<typeof partSchema>

const EDIT_TOOLS = ['write', 'edit', 'patch', 'multiedit', 'apply_patch']
const REFUSED = /rejected permission|prevents you from using|permission (?:was )?denied by|not permitted by/i

const ENDINGS: Readonly<Record<string, AgentEventOf<'final'>['status']>> = {
  ProviderAuthError: 'unauthenticated',
  MessageAbortedError: 'interrupted',
  MessageOutputLengthError: 'limit',
}

/** Matches a line of its log about a request for the work itself; requests for a session title have `small=true`. */
const STREAM_ERROR =
  /\blevel=ERROR\b.*\bmessage="stream error"(?!.*\bsmall=true\b).*\berror\.error="((?:[^"\\]|\\.)*)"/

/** Returns the words in which its log says that its service failed, before it retries; `null` for any other line. Pure. */
export function readOpencodeLog(line: string): string | null {
  const words = STREAM_ERROR.exec(line)?.[1]
  return words === undefined ? null : shortText(words)
}

export function createOpencodeParser(): StreamParser {
  const calls = createCallTracker()
  let session: string | null = null
  const used = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 }

  const parse = (type: string, found: z.infer<typeof eventSchema>): readonly AgentEvent[] | null => {
    const { part, error } = found
    switch (type) {
      case 'step_start':
        return []
      case 'text':
        return part.text === undefined || part.text === '' ? [] : [{ kind: 'message', text: part.text }]
      case 'reasoning':
        return [{ kind: 'thought', text: longText(part.text ?? '') }]
      case 'tool_use': {
        const id = part.callID ?? part.id ?? ''
        const started = calls.start(id, callOf(part))
        const status = statusOf(part)
        if (status === 'started') return started
        const { exit, exists } = part.state.metadata
        const change = exists === undefined ? null : exists ? 'modified' : 'created'
        return calls.finish(id, { status, exitCode: exit ?? null, change })
      }
      case 'step_finish':
        used.inputTokens +=
          (part.tokens.input ?? 0) + (part.tokens.cache.read ?? 0) + (part.tokens.cache.write ?? 0)
        used.outputTokens += part.tokens.output ?? 0
        used.cachedInputTokens += part.tokens.cache.read ?? 0
        used.costUsd += part.cost ?? 0
        return [usageEvent(used), ...endOfTurn(part.reason)]
      case 'error': {
        const ending = failed(error.data.message ?? error.name ?? '', error.data.statusCode ?? null)
        return [{ ...ending, status: ENDINGS[error.name ?? ''] ?? ending.status }]
      }
      default:
        return null
    }
  }

  return {
    parseError: (line) => {
      const reason = readOpencodeLog(line)
      return reason === null ? [] : [{ kind: 'retry', reason }]
    },
    parse: (event: RawEvent) => {
      const found = eventSchema.parse(event)
      const isNew = session === null && found.sessionID !== undefined
      session ??= found.sessionID ?? null
      const events = parse(event.type, found)
      if (!isNew) return events
      const opened: AgentEvent = {
        kind: 'session',
        sessionId: shortText(session ?? ''),
        model: null,
        version: null,
      }
      return [opened, ...(events ?? [{ kind: 'unknown' as const, type: shortText(event.type), text: '' }])]
    },
  }
}

function endOfTurn(reason: string | undefined): readonly AgentEvent[] {
  switch (reason) {
    case undefined:
    case 'tool-calls':
      return []
    case 'stop':
      return [{ kind: 'final', status: 'success', reason: 'it ended its turn' }]
    case 'length':
      return [
        {
          kind: 'final',
          status: 'limit',
          reason: 'it reached the maximum length of an answer from its model',
        },
      ]
    default:
      return [failed(`it ended with ${reason}`)]
  }
}

function statusOf({ state }: Part): ToolStatus {
  if (state.status === 'completed') return 'succeeded'
  if (state.status !== 'error') return 'started'
  return REFUSED.test(state.error ?? '') ? 'denied' : 'failed'
}

const inputSchema = fields({
  filePath: optionalText,
  command: optionalText,
  url: optionalText,
  pattern: optionalText,
  query: optionalText,
  path: optionalText,
})

function callOf({ tool = 'tool', state }: Part): CallStart {
  const found = inputSchema.parse(state.input)
  if (tool === 'bash') return { kind: 'command', tool, command: found.command ?? '' }
  if (EDIT_TOOLS.includes(tool)) {
    const path = found.filePath ?? state.metadata.filepath
    return { kind: 'edit', tool, paths: path === undefined ? [] : [path], change: null }
  }
  const detail = found.filePath ?? found.url ?? found.pattern ?? found.query ?? found.path ?? ''
  return { kind: 'tool', tool, detail }
}
