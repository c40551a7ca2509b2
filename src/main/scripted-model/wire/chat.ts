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

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chatWire: Wire = {
  name: 'chat',
  read: (path, body) => (path.endsWith('/chat/completions') ? read(body) : null),
  whole: (request, answer) => ({
    ...envelope(request, answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, ...toolCalls(answer) },
        finish_reason: finishReason(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  events: streamEvents,
  error: (status, message) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error', code: null },
  }),
}

function read(body: Json): ModelRequest {
  const messages = asList(body.messages).map(asObject)
  const isSystem = ({ role }: Json) => role === 'system' || role === 'developer'
  const format = asObject(body.response_format)
  return {
    model: asText(body.model),
    isStream: body.stream === true,
    system: messages
      .filter(isSystem)
      .map(({ content }) => textOf(content))
      .join('\n'),
    messages: messages.filter((message) => !isSystem(message)).map(readMessage),
    tools: asList(body.tools)
      .map((tool) => asObject(asObject(tool).function))
      .map((tool) => ({
        name: asText(tool.name),
        kind: 'function',
        parameters: parametersOf(tool.parameters),
      })),
    answerSchema: asObject(format.json_schema).schema ?? (format.type === 'json_object' ? true : null),
  }
}

function readMessage({ role, content }: Json): ModelMessage {
  return { role: role === 'tool' || role === 'assistant' ? role : 'user', text: textOf(content) }
}

function envelope({ model }: ModelRequest, { id }: ModelAnswer, object: string): Json {
  return { id, object, created: 0, model }
}

function toolCalls({ calls }: ModelAnswer): Json {
  if (calls.length === 0) return {}
  return {
    tool_calls: calls.map(({ id, name, input }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  }
}

function streamEvents(request: ModelRequest, answer: ModelAnswer): readonly StreamEvent[] {
  const chunk = envelope(request, answer, 'chat.completion.chunk')
  const choice = (delta: Json, reason: string | null): Json => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const chunks = [
    choice({ role: 'assistant', content: answer.text }, null),
    ...(answer.calls.length > 0 ? [choice(toolCalls(answer), null)] : []),
    choice({}, finishReason(answer)),
    { ...chunk, choices: [], usage: usageOf(answer) },
    '[DONE]',
  ]
  return chunks.map((data) => ({ event: null, data }))
}

function finishReason({ calls }: ModelAnswer): string {
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function usageOf({ usage: { inputTokens, outputTokens } }: ModelAnswer): Json {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}
