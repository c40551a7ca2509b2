/*
 * One vocabulary for the four wire formats: what a program asks and what the model answers.
 */

export interface OfferedTool {
  readonly name: string
  /** `custom`: the tool takes free text instead of JSON (OpenAI Responses). */
  readonly kind: 'function' | 'custom'
  /** Names of its parameters, from its JSON schema. */
  readonly parameters: readonly string[]
}

export interface ModelMessage {
  /** `tool`: a tool's answer, whatever role the wire format gives it. */
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
}

export interface ModelRequest {
  readonly model: string
  /** Answered as server-sent events. */
  readonly isStream: boolean
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  /** JSON schema of the requested answer, `true` for any JSON; `null` if text will do. */
  readonly answerSchema: unknown
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly kind: OfferedTool['kind']
  /** An object for a `function`, text for a `custom` tool. */
  readonly input: Readonly<Record<string, unknown>> | string
}

export interface ModelAnswer {
  readonly id: string
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

/** One wire format: how its requests are read and its answers written. Bodies are JSON of unknown shape. */
export interface Wire {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini'
  /** Parses the request in this body; `null` if the address is not of this format. */
  readonly read: (path: string, body: Json) => ModelRequest | null
  /** Returns the answer as one JSON document. */
  readonly whole: (request: ModelRequest, answer: ModelAnswer) => Json
  /** Returns the answer as server-sent events. */
  readonly events: (request: ModelRequest, answer: ModelAnswer) => readonly StreamEvent[]
  readonly error: (status: number, message: string) => Json
}

export interface StreamEvent {
  /** `null`: an event without a name. */
  readonly event: string | null
  /** Strings are sent as they are. */
  readonly data: Json | string
}

/** A JSON object whose fields are not parsed yet. */
export type Json = { readonly [key: string]: unknown }

/** Returns the value as an object, or an empty object if it isn't one. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the text of a message's content, which is a plain string or parts with a `text` each. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => (typeof part === 'string' ? part : asText(asObject(part).text)))
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns the names of the parameters in a tool's JSON schema. */
export function parametersOf(schema: unknown): readonly string[] {
  return Object.keys(asObject(asObject(schema).properties))
}
