import { z } from 'zod'
import type { AgentEvent } from '../../activity/types.ts'
import { cut, oneLine } from '../../text/quote.ts'

/** One event of a program as its JSON has it. */
export type RawEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** Translates one program's events. It may remember what came before; it never throws. */
export interface StreamParser {
  /** What an event on stdout means; `null` where its kind is not known. */
  parse(event: RawEvent): readonly AgentEvent[] | null
  /** What a line on stderr means: some things are said nowhere else. */
  parseError?(line: string): readonly AgentEvent[]
  /** What is left to say when the program has ended. */
  end?(): readonly AgentEvent[]
}

/** What a command says that a read-only sandbox would not let write; often nothing else tells of it. */
export const KEPT_FROM_WRITING = /\bread-only file ?system\b|\bEROFS\b/i

const MAX_TEXT = 64 * 1024
const MAX_LINE = 2000

/*
 * Schemas that take what is there: a field of another shape than expected counts as left out, never as a reason to lose the
 * event that it stands in.
 */

export const anything = z.unknown().optional()
export const optionalText = z.string().optional().catch(undefined)
export const optionalNumber = z.number().optional().catch(undefined)
export const optionalBoolean = z.boolean().optional().catch(undefined)

/** An object with these fields, all of which may be missing; anything but an object counts as an empty one. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => (isObject(value) ? value : {}), z.object(shape))
}

export function list<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What the agent said or thought, bounded. */
export function longText(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** A path, a command line, a reason: on one line, bounded. */
export function shortText(text: string): string {
  return cut(oneLine(text), MAX_LINE)
}

/** Tokens and money; numbers that cannot be any are left out. */
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
