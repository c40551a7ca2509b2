import type { z } from 'zod'
import type { AgentEvent, ToolStatus } from '../../activity/types.ts'
import { hasOption } from '../program.ts'
import { type CallStart, createCallTracker, denialOf } from '../streams/call-tracker.ts'
import { failed } from '../streams/failure.ts'
import {
  fields,
  KEPT_FROM_WRITING,
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
 * `codex exec --json`. Its last event is `turn.completed` or `turn.failed`. No event shows what its sandbox blocks; a rejected
 * patch is reported only on stderr. An item of type `error` may be just a warning.
 */

const itemSchema = fields({
  id: optionalText,
  type: optionalText,
  text: optionalText,
  message: optionalText,
  command: optionalText,
  exit_code: optionalNumber,
  aggregated_output: optionalText,
  status: optionalText,
  changes: list(fields({ path: optionalText, kind: optionalText })),
  server: optionalText,
  tool: optionalText,
  query: optionalText,
  items: list(fields({ text: optionalText, completed: optionalBoolean })),
})

const eventSchema = fields({
  thread_id: optionalText,
  item: itemSchema,
  usage: fields({
    input_tokens: optionalNumber,
    output_tokens: optionalNumber,
    cached_input_tokens: optionalNumber,
  }),
  message: optionalText,
  error: fields({ message: optionalText }),
})

type Item = z.infer<typeof itemSchema>

const STATUSES: Readonly<Record<string, ToolStatus>> = {
  in_progress: 'started',
  completed: 'succeeded',
  failed: 'failed',
  declined: 'denied',
}

const CHANGES = { add: 'created', update: 'modified', delete: 'deleted' } as const

export function createCodexParser(words: readonly string[] = []): StreamParser {
  const calls = createCallTracker()
  const isReadOnly = hasOption(words, ['-s', '--sandbox'], 'read-only')

  const item = (type: string, found: Item): readonly AgentEvent[] | null => {
    const isDone = type === 'item.completed'
    switch (found.type) {
      case 'agent_message':
        return isDone ? [{ kind: 'message', text: found.text ?? '' }] : []
      case 'reasoning':
        return isDone ? [{ kind: 'thought', text: longText(found.text ?? '') }] : []
      case 'error':
        return [{ kind: 'warning', text: shortText(found.message ?? '') }]
      case 'todo_list':
        return [{ kind: 'plan', entries: found.items.slice(0, 100).map(planEntry) }]
      default: {
        const call = callOf(found)
        if (call === null) return null
        const id = found.id ?? `${found.type}`
        const status = STATUSES[found.status ?? ''] ?? (isDone ? 'succeeded' : 'started')
        const started = calls.start(id, call)
        if (status === 'started') return started
        const ended = calls.finish(id, { status, exitCode: found.exit_code ?? null })
        const isKept =
          isReadOnly && status === 'failed' && KEPT_FROM_WRITING.test(found.aggregated_output ?? '')
        return isKept ? [...ended, keptFromWriting(found)] : ended
      }
    }
  }

  return {
    parse: (event: RawEvent) => {
      const found = eventSchema.parse(event)
      switch (event.type) {
        case 'thread.started':
          return [
            { kind: 'session', sessionId: shortText(found.thread_id ?? ''), model: null, version: null },
          ]
        case 'turn.started':
          return []
        case 'item.started':
        case 'item.updated':
        case 'item.completed':
          return item(event.type, found.item)
        case 'turn.completed':
          return [
            usageEvent({
              inputTokens: found.usage.input_tokens,
              outputTokens: found.usage.output_tokens,
              cachedInputTokens: found.usage.cached_input_tokens,
            }),
            { kind: 'final', status: 'success', reason: 'it ended its turn' },
          ]
        case 'turn.failed':
          return [failed(found.error.message ?? '')]
        // Reported again as `turn.failed` if it ends the turn; "Reconnecting... 1/5" if not.
        case 'error':
          return [{ kind: 'retry', reason: shortText(found.message ?? '') }]
        default:
          return null
      }
    },
    parseError: refusalIn,
  }
}

function refusalIn(line: string): readonly AgentEvent[] {
  const refused = /error=(?:patch rejected|exec_command failed|command rejected)[:;]? ?(.*)$/.exec(line)
  if (refused === null || !/sandbox|approval|rejected|denied/.test(line)) return []
  const isPatch = line.includes('patch rejected')
  return [
    denialOf(
      isPatch
        ? { kind: 'edit', tool: 'apply_patch', paths: [], change: null }
        : { kind: 'command', tool: 'exec_command', command: '' },
    ),
  ]
}

function keptFromWriting({ command }: Item): AgentEvent {
  const target = shortText(withoutShell(command ?? ''))
  return { kind: 'permission', tool: 'edit', target, decision: 'denied', by: 'program', grant: 'edit' }
}

function planEntry({ text, completed }: Item['items'][number]) {
  const status = completed === true ? ('completed' as const) : ('pending' as const)
  return { text: shortText(text ?? ''), status }
}

function callOf(item: Item): CallStart | null {
  switch (item.type) {
    case 'command_execution':
      return { kind: 'command', tool: 'shell', command: withoutShell(item.command ?? '') }
    case 'file_change': {
      const paths = item.changes.map(({ path }) => path ?? '').filter((path) => path !== '')
      const kinds = new Set(item.changes.map(({ kind }) => kind))
      const [kind] = kinds.size === 1 ? kinds : []
      const change = kind !== undefined && kind in CHANGES ? CHANGES[kind as keyof typeof CHANGES] : null
      return { kind: 'edit', tool: 'apply_patch', paths, change }
    }
    case 'mcp_tool_call':
      return { kind: 'tool', tool: `${item.server ?? 'mcp'}/${item.tool ?? 'tool'}`, detail: '' }
    case 'web_search':
      return { kind: 'tool', tool: 'web_search', detail: item.query ?? '' }
    default:
      return null
  }
}

/** `/bin/bash -lc 'echo hi'` → `echo hi`: the program adds the shell around a command, not the agent. */
function withoutShell(command: string): string {
  const wrapped = /^\S*\b(?:ba|z|da)?sh -l?c (?:'([\s\S]*)'|"([\s\S]*)")$/.exec(command)
  return wrapped === null ? command : (wrapped[1]?.replaceAll(`'\\''`, "'") ?? wrapped[2] ?? command)
}
