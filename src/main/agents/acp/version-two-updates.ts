import { z } from 'zod'

/** An update of a session, in either version of the protocol. */
export type Update = Readonly<Record<string, unknown>>

const MAX_REMEMBERED = 1000
const MAX_TEXT = 1024 * 1024

const record = z.record(z.string(), z.unknown())
const textBlock = z.object({ type: z.literal('text'), text: z.string() })
const messageSchema = z.object({ messageId: z.string(), content: z.array(z.unknown()).nullish() })
const chunkSchema = z.object({ messageId: z.string(), content: textBlock })
const callSchema = z.object({ toolCallId: z.string(), content: z.array(record).nullish().catch(null) })
const contentChunkSchema = z.object({ toolCallId: z.string(), content: record })
const terminalSchema = z.object({
  terminalId: z.string(),
  command: z.string().nullish().catch(null),
  exitStatus: z
    .object({ exitCode: z.int().nullish().catch(null) })
    .nullish()
    .catch(null),
})
const planSchema = z.object({ plan: z.object({ type: z.literal('items'), entries: z.array(z.unknown()) }) })

/** A session's messages and terminals so far, if later updates depend on them; bounded. */
export class SaidBefore {
  readonly texts = new Map<string, string>()
  /** The call that runs in the terminal. */
  readonly calls = new Map<string, string>()
  /** What is known about the terminal before any call has named it. */
  readonly terminals = new Map<string, Update>()

  keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
    map.delete(key)
    map.set(key, value)
    const [oldest] = map.keys()
    if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest)
  }
}

/** Translates an update of version 2 to version 1: none, one or several. Returns an unknown one unchanged. */
export function translateUpdate(update: Update, said: SaidBefore): readonly Update[] {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return chunk(update, said)
    case 'agent_message':
      return whole(update, 'agent_message_chunk', said)
    case 'agent_thought':
      return whole(update, 'agent_thought_chunk', said)
    case 'tool_call_update':
      return call(update, said)
    case 'tool_call_content_chunk': {
      const { toolCallId, content } = contentChunkSchema.safeParse(update).data ?? {}
      if (toolCallId === undefined) return [update]
      return call({ sessionUpdate: 'tool_call_update', toolCallId, content: [content] }, said)
    }
    case 'terminal_update':
      return terminal(update, said)
    case 'plan_update': {
      const { plan } = planSchema.safeParse(update).data ?? {}
      return plan === undefined ? [update] : [{ sessionUpdate: 'plan', entries: plan.entries }]
    }
    // Skip our own prompt, which is echoed, and a command's output, which is not the agent's text.
    case 'user_message':
    case 'terminal_output_chunk':
      return []
    default:
      return [update]
  }
}

function chunk(update: Update, said: SaidBefore): readonly Update[] {
  const { messageId, content } = chunkSchema.safeParse(update).data ?? {}
  if (messageId !== undefined && content !== undefined) {
    const before = said.texts.get(messageId) ?? ''
    said.keep(said.texts, messageId, (before + content.text).slice(0, MAX_TEXT))
  }
  return [update]
}

/** Translates a message that arrives whole: returns the part not sent in pieces before, or all of it if it was changed. */
function whole(update: Update, sessionUpdate: string, said: SaidBefore): readonly Update[] {
  const { messageId, content } = messageSchema.safeParse(update).data ?? {}
  if (messageId === undefined) return [update]
  if (content === undefined) return []
  const text = (content ?? []).map((block) => textBlock.safeParse(block).data?.text ?? '').join('')
  const before = said.texts.get(messageId) ?? ''
  said.keep(said.texts, messageId, text.slice(0, MAX_TEXT))
  const isLonger = text.startsWith(before)
  const unsaid = isLonger ? text.slice(before.length) : text
  if (unsaid === '') return []
  const id = isLonger ? messageId : `${messageId}, changed`
  return [{ sessionUpdate, messageId: id, content: { type: 'text', text: unsaid } }]
}

function call(update: Update, said: SaidBefore): readonly Update[] {
  const { toolCallId, content } = callSchema.safeParse(update).data ?? {}
  if (toolCallId === undefined) return [update]
  const named = (content ?? []).flatMap(({ type, terminalId }) =>
    type === 'terminal' && typeof terminalId === 'string' ? [terminalId] : [],
  )
  const known = named.flatMap((terminalId) => {
    said.keep(said.calls, terminalId, toolCallId)
    const told = said.terminals.get(terminalId)
    said.terminals.delete(terminalId)
    return told === undefined ? [] : [{ ...told, toolCallId }]
  })
  return [update, ...known]
}

/** Passes a terminal's command line and exit code to the call that runs in it, which identifies it. */
function terminal(update: Update, said: SaidBefore): readonly Update[] {
  const told = terminalSchema.safeParse(update).data
  if (told === undefined) return [update]
  const { terminalId, command, exitStatus } = told
  const before = said.terminals.get(terminalId) ?? {}
  const facts = {
    ...before,
    sessionUpdate: 'tool_call_update',
    ...(command != null && { rawInput: { command } }),
    ...(exitStatus?.exitCode != null && { rawOutput: { exitCode: exitStatus.exitCode } }),
  }
  const toolCallId = said.calls.get(terminalId)
  if (toolCallId !== undefined) return [{ ...facts, toolCallId }]
  said.keep(said.terminals, terminalId, facts)
  return []
}
