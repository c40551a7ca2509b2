import type { z } from 'zod'
import type { AgentEvent, AgentEventOf, ToolStatus } from '../../activity/types.ts'
import { type CallStart, createCallTracker } from '../streams/call-tracker.ts'
import { failed } from '../streams/failure.ts'
import {
  anything,
  fields,
  optionalBoolean,
  optionalNumber,
  optionalText,
  type RawEvent,
  type StreamParser,
  shortText,
  usageEvent,
} from '../streams/stream-parser.ts'

/*
 * `gemini -o stream-json`. Its last event is `result`. Messages arrive in parts. Tools that are not granted are never offered
 * to the model, so what was withheld is not visible.
 */

const eventSchema = fields({
  session_id: optionalText,
  model: optionalText,
  role: optionalText,
  content: optionalText,
  delta: optionalBoolean,
  tool_name: optionalText,
  tool_id: optionalText,
  parameters: anything,
  status: optionalText,
  severity: optionalText,
  message: optionalText,
  error: fields({ type: optionalText, message: optionalText }),
  stats: fields({ input_tokens: optionalNumber, output_tokens: optionalNumber, cached: optionalNumber }),
})

type Found = z.infer<typeof eventSchema>

/** How a run ended, by the program's own name for it, if it gives one. */
const ENDINGS: Readonly<Record<string, AgentEventOf<'final'>['status']>> = {
  FatalTurnLimitedError: 'limit',
  FatalAuthenticationError: 'unauthenticated',
  FatalCancellationError: 'interrupted',
}

const EDIT_TOOLS = ['write_file', 'replace', 'edit']

export function createGeminiParser(): StreamParser {
  const calls = createCallTracker()
  let pieces = ''

  /** Parts of one message belong together until something else comes. */
  const said = (): readonly AgentEvent[] => {
    const text = pieces
    pieces = ''
    return text === '' ? [] : [{ kind: 'message', text }]
  }

  const parse = (type: string, found: Found): readonly AgentEvent[] | null => {
    switch (type) {
      case 'init':
        return [
          {
            kind: 'session',
            sessionId: shortText(found.session_id ?? ''),
            model: found.model ?? null,
            version: null,
          },
        ]
      case 'tool_use':
        return calls.start(found.tool_id ?? '', callOf(found))
      case 'tool_result':
        return calls.finish(found.tool_id ?? '', { status: statusOf(found) })
      case 'error':
        return [{ kind: 'warning', text: shortText(found.message ?? found.error.message ?? '') }]
      case 'result':
        return [
          usageEvent({
            inputTokens: found.stats.input_tokens,
            outputTokens: found.stats.output_tokens,
            cachedInputTokens: found.stats.cached,
          }),
          finalOf(found),
        ]
      default:
        return null
    }
  }

  return {
    parse: (event: RawEvent) => {
      const found = eventSchema.parse(event)
      if (event.type !== 'message') {
        const before = said()
        const events = parse(event.type, found)
        return events === null && before.length === 0
          ? null
          : [...before, ...(events ?? [unknown(event.type)])]
      }
      if (found.role !== 'assistant') return said()
      const before = found.delta === true ? [] : said()
      pieces += found.content ?? ''
      return found.delta === true ? before : [...before, ...said()]
    },
    parseError: (line) => {
      const retry = /^Attempt \d+ failed.*/.exec(line.trim())?.[0]
      return retry === undefined ? [] : [{ kind: 'retry', reason: shortText(retry) }]
    },
    end: said,
  }
}

function unknown(type: string): AgentEvent {
  return { kind: 'unknown', type: shortText(type), text: '' }
}

function finalOf({ status, error }: Found): AgentEventOf<'final'> {
  if (status === 'success') return { kind: 'final', status: 'success', reason: 'it ended its turn' }
  const ending = failed(error.message ?? '')
  return { ...ending, status: ENDINGS[error.type ?? ''] ?? ending.status }
}

function statusOf({ status, error }: Found): ToolStatus {
  if (status === 'success') return 'succeeded'
  return /denied|polic|permission|not allowed|requires user confirmation/i.test(
    `${error.type ?? ''} ${error.message ?? ''}`,
  )
    ? 'denied'
    : 'failed'
}

const parametersSchema = fields({
  file_path: optionalText,
  command: optionalText,
  path: optionalText,
  prompt: optionalText,
  query: optionalText,
  pattern: optionalText,
})

function callOf({ tool_name: tool = 'tool', parameters }: Found): CallStart {
  const found = parametersSchema.parse(parameters)
  if (tool === 'run_shell_command') return { kind: 'command', tool, command: found.command ?? '' }
  if (EDIT_TOOLS.includes(tool)) return { kind: 'edit', tool, paths: [found.file_path ?? ''], change: null }
  const detail = found.file_path ?? found.path ?? found.query ?? found.pattern ?? found.prompt ?? ''
  return { kind: 'tool', tool, detail }
}
