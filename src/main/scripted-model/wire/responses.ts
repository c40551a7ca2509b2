import {
  asList,
  asObject,
  asText,
  type Json,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
  type OfferedTool,
  parametersOf,
  type StreamEvent,
  type ToolCall,
  textOf,
  type Wire,
} from '../model-request.ts'

/** OpenAI Responses: `POST /v1/responses`. */
export const responsesWire: Wire = {
  name: 'responses',
  read: (path, body) => (path.endsWith('/responses') ? read(body) : null),
  whole: (request, answer) => responseOf(request, answer, 'completed'),
  events: streamEvents,
  error: (status, message) => ({
    error: { message, type: errorType(status), code: null, ...limitOf(message) },
  }),
}

function read(body: Json): ModelRequest {
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : asList(body.input)
  return {
    model: asText(body.model),
    isStream: body.stream === true,
    system: asText(body.instructions),
    messages: input.map(asObject).flatMap(readItem),
    tools: asList(body.tools).map(asObject).flatMap(readTool),
    answerSchema: asObject(asObject(body.text).format).schema ?? null,
  }
}

function readItem(item: Json): readonly ModelMessage[] {
  const type = asText(item.type)
  if (type === 'function_call' || type === 'custom_tool_call') return [{ role: 'assistant', text: '' }]
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    return [{ role: 'tool', text: textOf(item.output) }]
  }
  const text = textOf(item.content)
  if (item.role === 'assistant') return [{ role: 'assistant', text }]
  return item.role === 'user' ? [{ role: 'user', text }] : []
}

function readTool(tool: Json): readonly OfferedTool[] {
  const name = asText(tool.name)
  if (tool.type === 'custom') return [{ name, kind: 'custom', parameters: [] }]
  // Tools that the service would run itself (a web search) have no name.
  return tool.type === 'function'
    ? [{ name, kind: 'function', parameters: parametersOf(tool.parameters) }]
    : []
}

function responseOf({ model }: ModelRequest, answer: ModelAnswer, status: string): Json {
  const { inputTokens, outputTokens } = answer.usage
  const isDone = status === 'completed'
  return {
    id: answer.id,
    object: 'response',
    created_at: 0,
    status,
    model,
    output: isDone ? itemsOf(answer) : [],
    usage: isDone
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: inputTokens + outputTokens,
        }
      : null,
  }
}

function itemsOf({ id, text, calls }: ModelAnswer): readonly Json[] {
  const message = {
    id: `msg_${id}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  return [...(text === '' ? [] : [message]), ...calls.map(itemOfCall)]
}

function itemOfCall({ id, name, kind, input }: ToolCall): Json {
  const common = { id: `item_${id}`, call_id: id, name, status: 'completed' }
  return kind === 'custom'
    ? { ...common, type: 'custom_tool_call', input: String(input) }
    : { ...common, type: 'function_call', arguments: JSON.stringify(input) }
}

function streamEvents(request: ModelRequest, answer: ModelAnswer): readonly StreamEvent[] {
  const events: readonly Json[] = [
    { type: 'response.created', response: responseOf(request, answer, 'in_progress') },
    ...itemsOf(answer).flatMap(eventsOfItem),
    { type: 'response.completed', response: responseOf(request, answer, 'completed') },
  ]
  return events.map((data, index) => ({
    event: asText(data.type),
    data: { ...data, sequence_number: index },
  }))
}

function eventsOfItem(item: Json, index: number): readonly Json[] {
  const started = { ...item, status: 'in_progress', ...(item.type === 'message' && { content: [] }) }
  const text = {
    type: 'response.output_text.delta',
    item_id: item.id,
    output_index: index,
    content_index: 0,
    delta: textOf(item.content),
  }
  return [
    { type: 'response.output_item.added', output_index: index, item: started },
    ...(item.type === 'message' ? [text] : []),
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

function errorType(status: number): string {
  if (status === 429) return 'usage_limit_reached'
  return status === 401 ? 'invalid_request_error' : 'server_error'
}

/** Returns the end of a limit, which the service sends next to the message, in seconds since 1970. */
function limitOf(message: string): Json {
  const at = /resets at (\d{4}-\S+Z)/.exec(message)?.[1]
  return at === undefined ? {} : { plan_type: 'pro', resets_at: Date.parse(at) / 1000 }
}
