import { z } from 'zod'
import type { AgentEvent } from '../../activity/types.ts'
import { isObject, parseJson } from '../../text/json.ts'
import { cut, oneLine } from '../../text/quote.ts'

/** One event of a program as parsed from JSON. */
export type RawEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** Returns the event in a line that a program printed; `null` if it has none. Never throws. */
export function eventIn(line: string): RawEvent | null {
  const text = line.trim()
  const value = text.startsWith('{') ? parseJson(text) : null
  return isObject(value) && typeof value.type === 'string' ? (value as RawEvent) : null
}

/** Translates one program's events. It may keep state, and never throws. */
export interface StreamParser {
  /** Returns what an event on stdout means; `null` if its kind is unknown. */
  parse(event: RawEvent): readonly AgentEvent[] | null
  /** Returns what a line on stderr means; some things are reported nowhere else. */
  parseError?(line: string): readonly AgentEvent[]
  /** Returns what remains to report when the program has ended. */
  end?(): readonly AgentEvent[]
}

/** What a command prints if a read-only sandbox blocked its write; often this is the only sign. */
export const KEPT_FROM_WRITING = /\bread-only file ?system\b|\bEROFS\b/i

const MAX_TEXT = 64 * 1024
const MAX_LINE = 2000

/*
 * Lenient schemas: a field with an unexpected shape counts as omitted, so its event is never lost.
 */

export const anything = z.unknown().optional()
export const optionalText = z.string().optional().catch(undefined)
export const optionalNumber = z.number().optional().catch(undefined)
export const optionalBoolean = z.boolean().optional().catch(undefined)

/** Returns a schema of an object with these fields, all optional. Anything else counts as an empty object. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => (isObject(value) ? value : {}), z.object(shape))
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item))
}

/** Returns what the agent said or thought, truncated. */
export function longText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** Returns a path, a command line or a reason on one line, truncated. */
export function shortText(text: string): string {
  return cut(oneLine(text), MAX_LINE)
}

/** Returns tokens and cost as an event, dropping impossible numbers. */
export function usageEvent(usage: {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cachedInputTokens?: number | undefined
  readonly costUsd?: number | undefined
}): AgentEvent {
  const sane = (value: number | undefined): number | null =>
    value !== undefined && Number.isFinite(value) && value >= 0 ? value : null
  return {
    kind: 'usage',
    usage: {
      inputTokens: sane(usage.inputTokens),
      outputTokens: sane(usage.outputTokens),
      cachedInputTokens: sane(usage.cachedInputTokens),
      costUsd: sane(usage.costUsd),
    },
  }
}
