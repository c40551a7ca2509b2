import { chooseTool } from './choose-tool.ts'
import { asList, asObject, asText, type ModelAnswer, type ModelRequest } from './model-request.ts'
import type { Script, Turn } from './script.ts'

/** What a request gets: an answer of the model, or something gone wrong on purpose. */
export type Reaction =
  | { readonly kind: 'answer'; readonly text: string; readonly calls: ModelAnswer['calls'] }
  | Extract<Turn, { kind: 'fail' | 'hang' }>

/**
 * Programs ask a model for more than the work: which model to take, a title for the session, a summary. Such a request offers no
 * tools, and no script is followed in it.
 */
export function isSideCall({ tools }: ModelRequest): boolean {
  return tools.length === 0
}

/** A sensible answer to a side call: JSON of the schema that is asked for, else a short title. */
export function sideAnswer({ answerSchema, messages, system }: ModelRequest): string {
  if (answerSchema !== null) return JSON.stringify(sampleOf(answerSchema))
  const asked = `${system}\n${messages.at(-1)?.text ?? ''}`
  return /\bjson\b/i.test(asked) ? '{"title": "A task of the contract"}' : 'A task of the contract'
}

/** Where a conversation stands: its last prompt, and how many answers of the model have followed it. */
export function standOf({ messages }: ModelRequest): { readonly prompt: string; readonly step: number } {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  // Several user messages may follow each other: reminders and context besides the prompt itself.
  let first = last
  while (first > 0 && messages[first - 1]?.role === 'user') first -= 1
  const prompt = messages.slice(first, last + 1)
  const after = messages.slice(last + 1)
  // Calls and their results may stand one by one: what counts is how often results were handed in.
  const step = after.filter(({ role }, index) => role === 'tool' && after[index + 1]?.role !== 'tool').length
  return { prompt: prompt.map(({ text }) => text).join('\n'), step }
}

/** What the script says at `step` after the prompt with this number (from 0). */
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

/** The least value that fits a JSON schema: required fields only, the first of several choices. */
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
