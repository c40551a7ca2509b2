import type { z } from 'zod'
import type { AgentEvent, AgentEventOf, ToolStatus } from '../../activity/types.ts'
import { type CallEnd, type CallStart, createCallTracker } from '../streams/call-tracker.ts'
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
 * `copilot --output-format json`. Its last event is `result`, which has an exit code but doesn't say why a run failed; an
 * earlier `session.error` does. Events marked `ephemeral` are repeated in full later, or report the program's own state.
 */

const dataSchema = fields({
  content: optionalText,
  model: optionalText,
  message: optionalText,
  errorType: optionalText,
  statusCode: optionalNumber,
  infoType: optionalText,
  reason: optionalText,
  parentToolCallId: optionalText,
  toolCallId: optionalText,
  toolName: optionalText,
  arguments: anything,
  success: optionalBoolean,
  error: fields({ code: optionalText, message: optionalText }),
  fileEdits: list(fields({ path: optionalText, kind: optionalText })),
  shellExecution: fields({ exitCode: optionalNumber }),
  inputTokens: optionalNumber,
  outputTokens: optionalNumber,
  cacheReadTokens: optionalNumber,
  cost: optionalNumber,
})

const eventSchema = fields({ data: dataSchema, sessionId: optionalText, exitCode: optionalNumber })

type Data = z.infer<typeof dataSchema>

const EDIT_TOOLS = ['create', 'edit', 'str_replace', 'str_replace_editor', 'insert', 'write', 'apply_patch']
const SHELL_TOOLS = ['bash', 'shell', 'powershell', 'local_shell']

/** Events about the program's state: its skills, turns and model calls, and parts of messages that are repeated in full. */
const OF_NO_INTEREST =
  /^(?:session\.(?:start|resume|idle|skills_loaded|mcp_servers?_\w+|tools_updated|info|title_changed|background_\S+_changed|usage_\w+|context_\w+|model_change|mode_changed|truncation|compaction_\w+|shutdown|custom_agents_updated|extensions_loaded)|user\.message|system\.\w+|assistant\.(?:turn_start|turn_end|idle|intent|message_start|message_delta|reasoning_delta|tool_call_delta|streaming_delta)|model\.\w+|tool\.(?:execution_partial_result|execution_progress|shell_output|user_requested)|permission\.\w+|hook\.\w+|pending_messages\.\w+)$/

export function createCopilotParser(): StreamParser {
  const calls = createCallTracker()
  let model: string | null = null
  let problem: { readonly message: string; readonly status: number | null } | null = null
  let ending: { readonly sessionId: string; readonly exitCode: number } | null = null
  const used = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 }

  const finals = (): readonly AgentEvent[] => {
    if (ending === null) return []
    return [
      ...(ending.sessionId === ''
        ? []
        : [{ kind: 'session' as const, sessionId: ending.sessionId, model, version: null }]),
      finalOf(ending.exitCode, problem),
    ]
  }

  const data = (type: string, found: Data): readonly AgentEvent[] | null => {
    switch (type) {
      case 'assistant.message':
        return messageOf(found)
      case 'assistant.reasoning':
        return [{ kind: 'thought', text: longText(found.content ?? '') }]
      case 'assistant.usage':
        used.inputTokens += found.inputTokens ?? 0
        used.outputTokens += found.outputTokens ?? 0
        used.cachedInputTokens += found.cacheReadTokens ?? 0
        return [usageEvent({ ...used, costUsd: undefined })]
      case 'assistant.turn_retry':
        return [{ kind: 'retry', reason: shortText(found.reason ?? 'the service failed') }]
      case 'tool.execution_start':
        return calls.start(found.toolCallId ?? '', callOf(found))
      case 'tool.execution_complete':
        return calls.finish(found.toolCallId ?? '', endOf(found))
      case 'session.warning':
        return [{ kind: 'warning', text: shortText(found.message ?? '') }]
      case 'session.error':
        problem = {
          message: `${found.errorType ?? ''} ${found.message ?? ''}`,
          status: found.statusCode ?? null,
        }
        return [{ kind: 'warning', text: shortText(found.message ?? '') }, ...finals()]
      default:
        return OF_NO_INTEREST.test(type) ? [] : null
    }
  }

  return {
    parse: (event: RawEvent) => {
      const found = eventSchema.parse(event)
      if (event.type === 'result') {
        ending = { sessionId: shortText(found.sessionId ?? ''), exitCode: found.exitCode ?? 0 }
        return finals()
      }
      if (event.type === 'session.tools_updated') model = found.data.model ?? model
      return data(event.type, found.data)
    },
  }
}

/** Returns the agent's message; a subagent's text goes to the agent, not the operator. */
function messageOf({ content, parentToolCallId }: Data): readonly AgentEvent[] {
  if (content === undefined || content === '') return []
  return parentToolCallId === undefined
    ? [{ kind: 'message', text: content }]
    : [{ kind: 'thought', text: longText(content) }]
}

function endOf(found: Data): CallEnd {
  const { fileEdits, shellExecution } = found
  const isNew = fileEdits.length > 0 && fileEdits.every(({ kind }) => kind === 'create')
  return {
    status: statusOf(found),
    exitCode: shellExecution.exitCode ?? null,
    paths: fileEdits.map(({ path }) => path ?? '').filter((path) => path !== ''),
    change: isNew ? 'created' : null,
  }
}

function finalOf(
  exitCode: number,
  problem: { readonly message: string; readonly status: number | null } | null,
): AgentEventOf<'final'> {
  if (exitCode === 0) return { kind: 'final', status: 'success', reason: 'it ended its turn' }
  return problem === null
    ? failed(`it reports that it exited with code ${exitCode}`)
    : failed(problem.message, problem.status)
}

function statusOf({ success, error }: Data): ToolStatus {
  if (success === true) return 'succeeded'
  return error.code === 'denied' || error.code === 'rejected' ? 'denied' : 'failed'
}

const argumentsSchema = fields({
  path: optionalText,
  file_path: optionalText,
  command: optionalText,
  url: optionalText,
  pattern: optionalText,
  query: optionalText,
})

function callOf({ toolName = 'tool', arguments: given }: Data): CallStart {
  const found = argumentsSchema.parse(given)
  const path = found.path ?? found.file_path ?? ''
  if (SHELL_TOOLS.includes(toolName)) return { kind: 'command', tool: toolName, command: found.command ?? '' }
  if (EDIT_TOOLS.includes(toolName)) {
    return {
      kind: 'edit',
      tool: toolName,
      paths: path === '' ? [] : [path],
      change: toolName === 'create' ? 'created' : null,
    }
  }
  return { kind: 'tool', tool: toolName, detail: found.url ?? found.query ?? found.pattern ?? path }
}
