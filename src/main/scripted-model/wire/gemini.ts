import {
  asList,
  asObject,
  asText,
  type Json,
  type ModelAnswer,
  type ModelMessage,
  type ModelRequest,
  parametersOf,
  textOf,
  type Wire,
} from '../model-request.ts'

const ADDRESS = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/

/** Gemini: `POST /v1beta/models/MODEL:generateContent` and `:streamGenerateContent`. */
export const geminiWire: Wire = {
  name: 'gemini',
  read: (path, body) => {
    const [, model, method] = ADDRESS.exec(path) ?? []
    return model === undefined ? null : read(model, method === 'streamGenerateContent', body)
  },
  whole: responseOf,
  events: (request, answer) => [{ event: null, data: responseOf(request, answer) }],
  error: (status, message) => ({ error: { code: status, message, status: errorStatus(status) } }),
}

function read(model: string, isStream: boolean, body: Json): ModelRequest {
  const config = asObject(body.generationConfig)
  const wantsJson = config.responseMimeType === 'application/json'
  return {
    model,
    isStream,
    system: textOf(asObject(body.systemInstruction).parts),
    messages: asList(body.contents).map((content) => readMessage(asObject(content))),
    tools: asList(body.tools)
      .flatMap((tool) => asList(asObject(tool).functionDeclarations))
      .map(asObject)
      .map((tool) => ({
        name: asText(tool.name),
        kind: 'function',
        parameters: parametersOf(tool.parametersJsonSchema ?? tool.parameters),
      })),
    answerSchema: config.responseJsonSchema ?? config.responseSchema ?? (wantsJson ? true : null),
  }
}

function readMessage({ role, parts }: Json): ModelMessage {
  if (role === 'model') return { role: 'assistant', text: textOf(parts) }
  const answers = asList(parts).flatMap((part) => asObject(part).functionResponse ?? [])
  if (answers.length > 0) return { role: 'tool', text: JSON.stringify(answers) }
  return { role: 'user', text: textOf(parts) }
}

function responseOf({ model }: ModelRequest, { id, text, calls, usage }: ModelAnswer): Json {
  const { inputTokens, outputTokens } = usage
  const parts = [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map((call) => ({ functionCall: { id: call.id, name: call.name, args: call.input } })),
  ]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: model,
    responseId: id,
  }
}

function errorStatus(status: number): string {
  const names: Record<number, string> = {
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    429: 'RESOURCE_EXHAUSTED',
    503: 'UNAVAILABLE',
  }
  return names[status] ?? 'INTERNAL'
}
