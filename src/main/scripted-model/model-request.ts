/*
 * One vocabulary for the four wire formats: what a program asks, and what the model answers.
 */

export interface OfferedTool {
  readonly name: string
  /** `custom`: takes free text instead of JSON (OpenAI Responses). */
  readonly kind: 'function' | 'custom'
  /** Names of its parameters, as its JSON schema gives them. */
  readonly parameters: readonly string[]
}

export interface ModelMessage {
  /** `tool`: what a tool answered, whatever role the wire format gives it. */
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
  /** JSON schema of the answer that is wanted, `true` for any JSON; `null` where text will do. */
  readonly answerSchema: unknown
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly kind: OfferedTool['kind']
  /** An object for a `function`, a text for a `custom` tool. */
  readonly input: Readonly<Record<string, unknown>> | string
}

export interface ModelAnswer {
  readonly id: string
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

/** One wire format: how its requests are read and its answers are written. Bodies are JSON of unknown shape. */
export interface Wire {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini'
  /** The request of this body, or `null` if the address is none of this format. */
  readonly read: (path: string, body: Json) => ModelRequest | null
  /** The answer as one JSON document. */
  readonly whole: (request: ModelRequest, answer: ModelAnswer) => Json
  /** The answer as server-sent events. */
  readonly events: (request: ModelRequest, answer: ModelAnswer) => readonly StreamEvent[]
  readonly error: (status: number, message: string) => Json
}

export interface StreamEvent {
  /** `null`: an event without a name. */
  readonly event: string | null
  /** A text is sent as it is. */
  readonly data: Json | string
}

/** A JSON object whose fields are not parsed yet. */
export type Json = { readonly [key: string]: unknown }

/** The value as an object; an empty one where it is none. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The texts of a message's content: a plain text, or parts with a `text` each. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => (typeof part === 'string' ? part : asText(asObject(part).text)))
    .filter((text) => text !== '')
    .join('\n')
}

/** Names of the parameters in a tool's JSON schema. */
export function parametersOf(schema: unknown): readonly string[] {
  return Object.keys(asObject(asObject(schema).properties))
}
