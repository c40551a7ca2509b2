import { z } from 'zod'
import type { AgentEvent, AgentUsage } from '../../../core/activity/types.ts'
import { planStatusSchema } from '../../../core/activity/types.ts'
import type { AcpMode } from '../../../core/agents/program.ts'
import { KEPT_FROM_WRITING } from '../../../core/agents/streams/stream-parser.ts'
import { bounded } from './bounded.ts'
import { eventsOf, type ToolCall, type ToolCalls } from './tool-calls.ts'

/** Events carry an agent's message in pieces of this size; `said` has all of it. */
const MAX_MESSAGE = 16_384
const MAX_PLAN_ENTRIES = 100
const MAX_LOOKED_AT = 64 * 1024

export interface UpdateSink {
  readonly emit: (event: AgentEvent) => void
  /** Called with what the agent says to its user, as it comes. */
  readonly say: (text: string) => void
  /** Reads what this program reports about its service in custom fields. */
  readonly readTrouble?: AcpMode['readTrouble']
  /** True if its session may only read. */
  readonly isReadOnly?: boolean
  /** Returns whether a terminal is one of ours; its command is reported already. */
  readonly isTerminal?: (id: string) => boolean
  /** Returns whether this file was written through us, which is reported already; true once per write. */
  readonly wasWritten?: (path: string) => boolean
  /** Called when the agent's turn has failed, however the agent describes its end. */
  readonly onFailed?: () => void
}

const textContent = z.object({ type: z.literal('text'), text: z.string() })
const chunkSchema = z.object({ content: textContent, messageId: z.string().nullish().catch(null) })
const planSchema = z.object({ entries: z.array(z.unknown()) })
const planEntrySchema = z.object({
  content: z.string(),
  status: planStatusSchema.catch('pending'),
})
const usageUpdateSchema = z.object({
  cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }).nullish().catch(null),
})
const count = z.number().nonnegative().nullish().catch(null)
const turnUsageSchema = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedReadTokens: count,
  cachedWriteTokens: count,
})

/** Some programs report the tokens of each model request in a custom field of a message, which may be empty. */
const chunkUsageSchema = z.object({
  _meta: z.object({ usage: z.object({ inputTokens: count, outputTokens: count, cachedReadTokens: count }) }),
})

/** What programs print about an edit that their sandbox blocked. */
const KEPT_BY_SANDBOX =
  /\bbwrap\b|\bbubblewrap\b|\blandlock\b|\bseatbelt\b|\bsandbox[- ](?:denied|error|failed|violation)|\b(?:denied|blocked|refused|rejected) by (?:the |its )?sandbox\b|\bFailed to create parent directories\b|\bread-only file ?system\b/i

/** Removes the file names that an agent chose: they are not the program's words. */
function withoutPaths(said: string, paths: Iterable<string>): string {
  return [...paths].reduce((text, path) => text.replaceAll(JSON.stringify(path).slice(1, -1), ''), said)
}

/** Returns true for a call that never ran, which has no exit code. */
function hasNotRun({ kind, exitCode }: ToolCall): boolean {
  return kind === 'execute' && exitCode === null
}

/** Updates that only concern the program's own display. */
const QUIET = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  // Our own prompt, echoed.
  'user_message_chunk',
])

/** Translates a session's updates into events. An unknown one becomes an `unknown` event; nothing throws. */
export class UpdateReader {
  readonly #sink: UpdateSink
  readonly #calls: ToolCalls
  readonly #emitted = new Map<string, string>()
  readonly #kept = new Set<string>()
  #message: { kind: 'message' | 'thought'; id: string | null; text: string } | null = null
  #hasSpoken = false
  #used = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }

  constructor(sink: UpdateSink, calls: ToolCalls) {
    this.#sink = sink
    this.#calls = calls
  }

  read(update: unknown): void {
    const raw = z.record(z.string(), z.unknown()).safeParse(update).data ?? {}
    const type = typeof raw.sessionUpdate === 'string' ? raw.sessionUpdate : 'session/update'
    this.#trouble(raw)
    switch (type) {
      case 'agent_message_chunk':
        this.#chunkUsage(raw)
        this.#chunk('message', type, raw)
        return
      case 'agent_thought_chunk':
        this.#chunk('thought', type, raw)
        return
      case 'tool_call':
      case 'tool_call_update': {
        const call = this.#calls.merge(raw)
        if (call === null) this.unknown(type, raw)
        else {
          this.emitCall(call)
          this.#keptFromWriting(call, raw)
        }
        return
      }
      case 'plan':
        this.#plan(raw)
        return
      case 'usage_update':
        this.#usage(raw)
        return
      default:
        if (!QUIET.has(type)) this.unknown(type, raw)
    }
  }

  /** Emits a call if anything about it is new and not reported already. */
  emitCall(call: ToolCall): void {
    this.endMessage()
    for (const event of eventsOf(call)) {
      const key = 'callId' in event ? String(event.callId) : ''
      const state = JSON.stringify(event)
      if (this.#emitted.get(key) === state) continue
      if (!this.#emitted.has(key) && this.#isReportedByUs(call, event)) continue
      this.#emitted.set(key, state)
      this.#sink.emit(event)
    }
  }

  #isReportedByUs({ terminalId }: ToolCall, event: AgentEvent): boolean {
    const { isTerminal, wasWritten } = this.#sink
    if (event.kind === 'command') return terminalId !== null && isTerminal?.(terminalId) === true
    return event.kind === 'edit' && event.status === 'succeeded' && wasWritten?.(event.path) === true
  }

  endTurn(usage: unknown): void {
    this.endMessage()
    this.#hasSpoken = false
    if (usage !== undefined && usage !== null) this.#turnUsage(usage)
  }

  unknown(type: string, raw: unknown): void {
    this.#sink.emit({ kind: 'unknown', type: bounded(type, 100), text: bounded(JSON.stringify(raw) ?? '') })
  }

  /** Ends the current message: at the end of a turn, and when the agent does something else. */
  endMessage(): void {
    const message = this.#message
    this.#message = null
    if (message === null || message.text.trim() === '') return
    this.#sink.emit({ kind: message.kind, text: message.text })
  }

  #chunk(kind: 'message' | 'thought', type: string, raw: Record<string, unknown>): void {
    const chunk = chunkSchema.safeParse(raw).data
    // A picture or a link contains no claim.
    if (chunk === undefined) {
      this.unknown(type, raw)
      return
    }
    const id = chunk.messageId ?? null
    const isSame = this.#message?.kind === kind && this.#message.id === id
    if (!isSame) {
      this.endMessage()
      this.#message = { kind, id, text: '' }
      if (kind === 'message' && this.#hasSpoken) this.#sink.say('\n\n')
    }
    const { text } = chunk.content
    if (kind === 'message') {
      this.#hasSpoken = true
      this.#sink.say(text)
    }
    if (this.#message === null) return
    if (this.#message.text.length + text.length > MAX_MESSAGE) this.endMessage()
    this.#message = { kind, id, text: bounded((this.#message?.text ?? '') + text, MAX_MESSAGE) }
  }

  /**
   * Reports what its program's sandbox blocked as denied without asking: in any session a failed edit, in a read-only one also a command.
   */
  #keptFromWriting(call: ToolCall, raw: Record<string, unknown>): void {
    const { id, kind, status, command, paths } = call
    if (status !== 'failed' || this.#kept.has(id)) return
    const { content, rawOutput } = raw
    const said = (JSON.stringify([content, rawOutput]) ?? '').slice(0, MAX_LOOKED_AT)
    const isKept =
      kind === 'edit'
        ? KEPT_BY_SANDBOX.test(withoutPaths(said, paths.keys()))
        : this.#sink.isReadOnly === true && (hasNotRun(call) || KEPT_FROM_WRITING.test(said))
    if (!isKept) return
    this.#kept.add(id)
    const target = bounded(kind === 'edit' ? [...paths.keys()].join(', ') : (command ?? ''))
    this.#sink.emit({
      kind: 'permission',
      tool: 'edit',
      target,
      decision: 'denied',
      by: 'program',
      grant: kind === 'edit' && this.#sink.isReadOnly !== true ? null : 'edit',
    })
  }

  #trouble(raw: Record<string, unknown>): void {
    const trouble = this.#sink.readTrouble?.(raw) ?? null
    if (trouble === null) return
    if (trouble.kind === 'retry') this.#sink.emit({ kind: 'retry', reason: bounded(trouble.words) })
    else this.#sink.onFailed?.()
  }

  #plan(raw: Record<string, unknown>): void {
    const plan = planSchema.safeParse(raw).data
    if (plan === undefined) {
      this.unknown('plan', raw)
      return
    }
    const entries = plan.entries.slice(0, MAX_PLAN_ENTRIES).flatMap((item) => {
      const entry = planEntrySchema.safeParse(item).data
      return entry === undefined ? [] : [{ text: bounded(entry.content), status: entry.status }]
    })
    this.#sink.emit({ kind: 'plan', entries })
  }

  #usage(raw: Record<string, unknown>): void {
    const { cost } = usageUpdateSchema.safeParse(raw).data ?? {}
    if (cost === null || cost === undefined || cost.currency.toUpperCase() !== 'USD') return
    this.#emitUsage({ inputTokens: null, outputTokens: null, cachedInputTokens: null, costUsd: cost.amount })
  }

  /** Sums over the session; cached tokens are already included in the input. */
  #chunkUsage(raw: Record<string, unknown>): void {
    const usage = chunkUsageSchema.safeParse(raw).data?._meta.usage
    if (usage === undefined) return
    const { inputTokens, outputTokens, cachedInputTokens } = this.#used
    this.#used = {
      inputTokens: inputTokens + (usage.inputTokens ?? 0),
      outputTokens: outputTokens + (usage.outputTokens ?? 0),
      cachedInputTokens: cachedInputTokens + (usage.cachedReadTokens ?? 0),
    }
    this.#emitUsage({ ...this.#used, costUsd: null })
  }

  /** Reads the token counts of a prompt's answer, a part of the protocol that is not stable yet. */
  #turnUsage(usage: unknown): void {
    const reported = turnUsageSchema.safeParse(usage).data
    if (reported === undefined) return
    const { inputTokens, cachedReadTokens, cachedWriteTokens } = reported
    this.#emitUsage({
      // Tokens read from or written to a cache are input too: the protocol counts them separately.
      inputTokens:
        typeof inputTokens === 'number'
          ? inputTokens + (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0)
          : null,
      outputTokens: reported.outputTokens ?? null,
      cachedInputTokens: reported.cachedReadTokens ?? null,
      costUsd: null,
    })
  }

  #emitUsage(usage: AgentUsage): void {
    this.#sink.emit({ kind: 'usage', usage })
  }
}
