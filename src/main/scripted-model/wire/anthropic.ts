import {
  asList,
  asObject,
  asText,
  type Json,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
  parametersOf,
  type StreamEvent,
  textOf,
  type Wire,
} from '../model-request.ts'

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  read: (path, body) => (path.endsWith('/v1/messages') ? read(body) : null),
  whole: (request, answer) => ({ ...envelope(request, answer), content: blocksOf(answer) }),
  events: streamEvents,
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
}

function read(body: Json): ModelRequest {
  return {
    model: asText(body.model),
    isStream: body.stream === true,
    system: textOf(body.system),
    messages: asList(body.messages).map((message) => readMessage(asObject(message))),
    tools: asList(body.tools)
      .map(asObject)
      .map((tool) => ({
        name: asText(tool.name),
        kind: 'function',
        parameters: parametersOf(tool.input_schema),
      })),
    answerSchema: asObject(asObject(body.output_config).format).schema ?? null,
  }
}

function readMessage({ role, content }: Json): ModelMessage {
  if (role === 'assistant') return { role, text: textOf(content) }
  const results = asList(content)
    .map(asObject)
    .filter(({ type }) => type === 'tool_result')
  // Reminders may come along with the results: they are not a new prompt.
  if (results.length > 0)
    return { role: 'tool', text: results.map((part) => textOf(part.content)).join('\n') }
  return { role: 'user', text: textOf(content) }
}

function envelope({ model }: ModelRequest, answer: ModelAnswer): Json {
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: {
      input_tokens: answer.usage.inputTokens,
      output_tokens: answer.usage.outputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  }
}

function blocksOf({ text, calls }: ModelAnswer): readonly Json[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ]
}

function streamEvents(request: ModelRequest, answer: ModelAnswer): readonly StreamEvent[] {
  const blocks = blocksOf(answer).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    { type: 'content_block_delta', index, delta: deltaOf(block) },
    { type: 'content_block_stop', index },
  ])
  const events: readonly Json[] = [
    { type: 'message_start', message: { ...envelope(request, answer), stop_reason: null } },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: answer.usage.outputTokens },
    },
    { type: 'message_stop' },
  ]
  return events.map((data) => ({ event: asText(data.type), data }))
}

function emptied(block: Json): Json {
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
}

function deltaOf(block: Json): Json {
  return block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
}

function stopReason({ calls }: ModelAnswer): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function errorType(status: number): string {
  const types: Record<number, string> = {
    401: 'authentication_error',
    403: 'permission_error',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  return types[status] ?? 'api_error'
}
