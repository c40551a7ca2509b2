import { chooseTool } from './choose-tool.ts'
import { asList, asObject, asText, type ModelAnswer, type ModelRequest } from './model-request.ts'
import type { Script, Turn } from './script.ts'

/** What a request gets: an answer from the model, or a deliberate failure. */
export type Reaction =
  | { readonly kind: 'answer'; readonly text: string; readonly calls: ModelAnswer['calls'] }
  | Extract<Turn, { kind: 'fail' | 'hang' }>

/**
 * Programs use a model for more than the work: to choose a model, title the session, write a summary. Such a request offers no tools, and
 * gets no answer from the script.
 */
export function isSideCall({ tools }: ModelRequest): boolean {
  return tools.length === 0
}

/** Returns a sensible answer to a side call: JSON of the requested schema, else a short title. */
export function sideAnswer({ answerSchema, messages, system }: ModelRequest): string {
  if (answerSchema !== null) return JSON.stringify(sampleOf(answerSchema))
  const asked = `${system}\n${messages.at(-1)?.text ?? ''}`
  return /\bjson\b/i.test(asked) ? '{"title": "A task of the contract"}' : 'A task of the contract'
}

/** The state of a conversation: its last prompt, and how many answers of the model followed it. */
export function standOf({ messages }: ModelRequest): { readonly prompt: string; readonly step: number } {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  // Several user messages may follow each other: reminders and context in addition to the prompt itself.
  let first = last
  while (first > 0 && messages[first - 1]?.role === 'user') first -= 1
  const prompt = messages.slice(first, last + 1)
  const after = messages.slice(last + 1)
  // Calls and their results may come one by one: only the number of times that results were sent counts.
  const step = after.filter(({ role }, index) => role === 'tool' && after[index + 1]?.role !== 'tool').length
  return { prompt: prompt.map(({ text }) => text).join('\n'), step }
}

/** Returns what the script says at `step` after the prompt with this number (from 0). */
export function followScript(
  script: Script,
  promptNumber: number,
  step: number,
  request: ModelRequest,
): Reaction {
  const turns = script.prompts[Math.min(promptNumber, script.prompts.length - 1)] ?? []
  for (const turn of turns.slice(Math.min(step, turns.length - 1))) {
    if (turn.kind === 'say') return { kind: 'answer', text: turn.text, calls: [] }
    if (turn.kind !== 'act') return turn
    const calls = turn.actions
      .map((action) => chooseTool(action, request.tools))
      .filter((call) => call !== null)
      .map((call, index) => ({ ...call, id: `call_${promptNumber}_${step}_${index}` }))
    if (calls.length > 0) return { kind: 'answer', text: turn.text, calls }
  }
  throw new Error('The last turn of a script ends its prompt')
}

/** Returns the smallest value that fits a JSON schema: required fields only, the first of several choices. */
function sampleOf(schema: unknown): unknown {
  const { type, properties, required, items, anyOf } = asObject(schema)
  const choice = asObject(schema).enum
  if (Array.isArray(choice)) return choice[0]
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0])
  switch (asText(type).toLowerCase()) {
    case 'string':
      return 'A task of the contract'
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(items)]
    default: {
      const wanted = asList(required).map(asText)
      const names = wanted.length > 0 ? wanted : Object.keys(asObject(properties))
      return Object.fromEntries(names.map((name) => [name, sampleOf(asObject(properties)[name])]))
    }
  }
}
