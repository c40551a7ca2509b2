import { z } from 'zod'
import type { AgentEvent, AgentEventOf } from '../../activity/types.ts'
import { isObject } from '../../text/json.ts'
import { epochMsOf } from '../reset-time.ts'
import { type CallStart, createCallTracker } from '../streams/call-tracker.ts'
import { failed } from '../streams/failure.ts'
import {
  anything,
  fields,
  list,
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
 * `claude -p --output-format stream-json --verbose`. Its last event is `result`; its `subtype: "success"` means nothing if
 * `is_error` is set. A denied tool is reported three times: as a system event, in the tool's result, and in the last event.
 *
 * `qwen -o stream-json` prints the same format with other tool names, and reports service failures as messages of the agent.
 */

const systemSchema = fields({
  subtype: optionalText,
  session_id: optionalText,
  model: optionalText,
  claude_code_version: optionalText,
  qwen_code_version: optionalText,
  tool_use_id: optionalText,
  attempt: optionalNumber,
  max_retries: optionalNumber,
  error_status: optionalNumber,
  error: optionalText,
})

const blockSchema = fields({
  type: optionalText,
  text: optionalText,
  thinking: optionalText,
  id: optionalText,
  name: optionalText,
  input: anything,
  tool_use_id: optionalText,
  is_error: optionalBoolean,
  content: anything,
})

const usageSchema = fields({
  input_tokens: optionalNumber,
  output_tokens: optionalNumber,
  cache_read_input_tokens: optionalNumber,
  cache_creation_input_tokens: optionalNumber,
})

type Usage = z.infer<typeof usageSchema>

/** Messages beyond this number are not counted before a run's last event. */
const MAX_MESSAGES = 5000

const messageSchema = fields({
  message: fields({ id: optionalText, model: optionalText, content: anything, usage: usageSchema }),
  parent_tool_use_id: optionalText,
  tool_use_result: anything,
  tool_result_meta: list(
    fields({ id: optionalText, permission_decision: fields({ decision: optionalText }) }),
  ),
})

const resultSchema = fields({
  subtype: optionalText,
  is_error: optionalBoolean,
  result: optionalText,
  errors: list(z.string().catch('')),
  error: fields({ message: optionalText }),
  session_id: optionalText,
  terminal_reason: optionalText,
  api_error_status: optionalNumber,
  total_cost_usd: optionalNumber,
  usage: usageSchema,
  permission_denials: list(
    fields({ tool_name: optionalText, tool_use_id: optionalText, tool_input: anything }),
  ),
})

const limitSchema = fields({
  rate_limit_info: fields({ status: optionalText, resetsAt: optionalNumber, rateLimitType: optionalText }),
})

const LIMITS: Readonly<Record<string, string>> = {
  error_max_turns: 'it reached its limit of turns',
  error_max_budget_usd: 'it reached its budget',
}

/** Matches service failures that Qwen Code prints as the agent's message, and again in its last event. */
const SERVICE_SPEAKS = /^\[API Error: [^\n]*\]$/

export function createClaudeParser(): StreamParser {
  return new ClaudeParser()
}

class ClaudeParser implements StreamParser {
  readonly #calls = createCallTracker()
  readonly #messages = new Map<string, Usage>()
  #hasTotals = false
  #hasSpoken = false
  #resetsAtMs: number | null = null

  parse(event: RawEvent): readonly AgentEvent[] | null {
    switch (event.type) {
      case 'system':
        return this.#system(event)
      case 'assistant':
        return this.#assistant(event)
      case 'user':
        return this.#user(event)
      case 'result':
        return this.#result(event)
      case 'rate_limit_event':
        return this.#limits(event)
      // Partial messages, which are repeated in full.
      case 'stream_event':
        return []
      default:
        return null
    }
  }

  /**
   * Returns the sum of all messages, each reported in parts with its newest figures. Needed because a killed run has no last
   * event.
   */
  #usedSoFar(id: string | undefined, usage: Usage): readonly AgentEvent[] {
    const input = inputTokensOf(usage)
    if (id === undefined || input === undefined || this.#hasTotals) return []
    if (this.#messages.has(id) || this.#messages.size < MAX_MESSAGES) this.#messages.set(id, usage)
    const sum = (figure: (one: Usage) => number | undefined): number =>
      [...this.#messages.values()].reduce((total, one) => total + (figure(one) ?? 0), 0)
    return [
      usageEvent({
        inputTokens: sum(inputTokensOf),
        outputTokens: sum((one) => one.output_tokens),
        cachedInputTokens: sum((one) => one.cache_read_input_tokens),
      }),
    ]
  }

  #assistant(event: RawEvent): readonly AgentEvent[] {
    const { message, parent_tool_use_id: parent } = messageSchema.parse(event)
    const isOwn = parent === undefined && message.model !== '<synthetic>'
    const told = blocksOf(message.content).flatMap((block): readonly AgentEvent[] => {
      if (block.type === 'tool_use' && block.id !== undefined)
        return this.#calls.start(block.id, callOf(block.name ?? 'tool', block.input))
      const text = block.text ?? ''
      if (block.type === 'thinking') return [{ kind: 'thought', text: longText(block.thinking ?? '') }]
      if (block.type !== 'text' || text === '') return []
      // Text that the program writes in the agent's name, and a subagent's text to the agent, is not addressed to the operator.
      if (!isOwn || SERVICE_SPEAKS.test(text))
        return [{ kind: parent === undefined ? 'warning' : 'thought', text: longText(text) }]
      this.#hasSpoken = true
      return [{ kind: 'message', text }]
    })
    return [...told, ...this.#usedSoFar(message.id, message.usage)]
  }

  #user(event: RawEvent): readonly AgentEvent[] {
    const { message, tool_use_result: result, tool_result_meta: meta } = messageSchema.parse(event)
    return blocksOf(message.content).flatMap((block): readonly AgentEvent[] => {
      if (block.type !== 'tool_result' || block.tool_use_id === undefined) return []
      const id = block.tool_use_id
      const isRefused = meta.some(
        (entry) => entry.id === id && entry.permission_decision.decision === 'reject',
      )
      const status = isRefused ? 'denied' : block.is_error === true ? 'failed' : 'succeeded'
      const exitCode = exitCodeOf(textOf(block.content), status === 'succeeded')
      return this.#calls.finish(id, { status, exitCode, change: changeOf(result) })
    })
  }

  #system(event: RawEvent): readonly AgentEvent[] | null {
    const { subtype, ...found } = systemSchema.parse(event)
    switch (subtype) {
      case 'init':
        return [
          {
            kind: 'session',
            sessionId: shortText(found.session_id ?? ''),
            model: found.model ?? null,
            version: found.claude_code_version ?? found.qwen_code_version ?? null,
          },
        ]
      case 'permission_denied':
        return found.tool_use_id === undefined
          ? []
          : this.#calls.finish(found.tool_use_id, { status: 'denied' })
      case 'api_retry': {
        const code = found.error_status === undefined ? '' : ` (HTTP ${found.error_status})`
        const reason = `${found.error ?? 'the service failed'}${code}, try ${found.attempt ?? '?'} of ${found.max_retries ?? '?'}`
        return [{ kind: 'retry', reason: shortText(reason) }]
      }
      default:
        return null
    }
  }

  /** Reports the account's limits. They come with every run, and matter only when one is reached. */
  #limits(event: RawEvent): readonly AgentEvent[] {
    const { status, resetsAt, rateLimitType } = limitSchema.parse(event).rate_limit_info
    if (status !== 'rejected') return []
    this.#resetsAtMs = resetsAt === undefined ? null : epochMsOf(resetsAt)
    return [{ kind: 'warning', text: shortText(`usage limit reached (${rateLimitType ?? 'no kind told'})`) }]
  }

  #result(event: RawEvent): readonly AgentEvent[] {
    const found = resultSchema.parse(event)
    const { usage } = found
    this.#hasTotals = true
    const denials = found.permission_denials.flatMap((denial) => {
      const id = denial.tool_use_id ?? `denied ${denial.tool_name}`
      return [
        ...this.#calls.start(id, callOf(denial.tool_name ?? 'tool', denial.tool_input)),
        ...this.#calls.finish(id, { status: 'denied' }),
      ]
    })
    const text = found.result ?? ''
    const isUnheard = !this.#hasSpoken && text !== '' && found.is_error !== true
    this.#hasSpoken = true
    return [
      ...(found.session_id === undefined
        ? []
        : [{ kind: 'session' as const, sessionId: shortText(found.session_id), model: null, version: null }]),
      ...denials,
      ...(isUnheard ? [{ kind: 'message' as const, text }] : []),
      usageEvent({
        inputTokens: inputTokensOf(usage),
        outputTokens: usage.output_tokens,
        cachedInputTokens: usage.cache_read_input_tokens,
        costUsd: found.total_cost_usd,
      }),
      this.#withReset(finalOf(found)),
    ]
  }

  #withReset(final: AgentEventOf<'final'>): AgentEvent {
    const resetsAtMs = this.#resetsAtMs
    return final.status === 'rate-limited' && resetsAtMs !== null ? { ...final, resetsAtMs } : final
  }
}

/** Tokens read from a cache, or written to one, count as input too. */
function inputTokensOf(usage: Usage): number | undefined {
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  return fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0)
}

function finalOf(found: z.infer<typeof resultSchema>): AgentEventOf<'final'> {
  const limit = LIMITS[found.subtype ?? '']
  const words =
    found.errors.filter((error) => error !== '').join('; ') || (found.result ?? found.error.message ?? '')
  if (limit !== undefined) {
    return { kind: 'final', status: 'limit', reason: shortText(words === '' ? limit : `${limit}: ${words}`) }
  }
  const ending = found.terminal_reason ?? 'completed'
  if (/abort|interrupt|cancel/i.test(ending)) {
    return { kind: 'final', status: 'interrupted', reason: shortText(`it was interrupted (${ending})`) }
  }
  const isError = found.is_error === true || (found.subtype !== undefined && found.subtype !== 'success')
  if (!isError) return { kind: 'final', status: 'success', reason: 'it ended its turn' }
  return failed(words, found.api_error_status ?? null)
}

function blocksOf(content: unknown): z.infer<typeof blockSchema>[] {
  if (typeof content === 'string') return [blockSchema.parse({ type: 'text', text: content })]
  return list(blockSchema).parse(content)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(fields({ text: optionalText }))
    .parse(content)
    .map(({ text }) => text ?? '')
    .join('\n')
}

const inputSchema = fields({
  file_path: optionalText,
  notebook_path: optionalText,
  command: optionalText,
  url: optionalText,
  query: optionalText,
  pattern: optionalText,
  description: optionalText,
})

function callOf(tool: string, input: unknown): CallStart {
  const found = inputSchema.parse(input)
  switch (tool) {
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
    case 'write_file':
    case 'edit':
    case 'notebook_edit': {
      const path = found.file_path ?? found.notebook_path ?? ''
      return { kind: 'edit', tool, paths: [path], change: null }
    }
    case 'Bash':
    case 'PowerShell':
    case 'run_shell_command':
      return { kind: 'command', tool, command: found.command ?? '' }
    default: {
      const detail = found.file_path ?? found.url ?? found.query ?? found.pattern ?? found.description ?? ''
      return { kind: 'tool', tool, detail }
    }
  }
}

function changeOf(result: unknown): 'created' | 'modified' | null {
  if (!isObject(result)) return null
  return result.type === 'create' ? 'created' : result.type === 'update' ? 'modified' : null
}

function exitCodeOf(content: string, succeeded: boolean): number | null {
  const told = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(content)
  if (told !== null) return Number(told[1])
  return succeeded ? 0 : null
}
