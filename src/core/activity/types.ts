import { z } from 'zod'
import { editKindSchema } from '../vocabulary/evidence.ts'
import { permissionDecisionSchema } from '../vocabulary/permission.ts'

/*
 * What an agent program reports of itself while it works: its event stream or protocol, translated into one vocabulary. It is the
 * program's own report. A denial in it is a fact; an edit or a command in it is a hint of where to look, never proof that
 * something was done: only snapshots and probes are that.
 */

/** How a tool call stands. `denied`: refused by a permission; `cancelled`: given up with the turn. */
export const toolStatusSchema = z.enum(['started', 'succeeded', 'failed', 'denied', 'cancelled'])

/** How a step of an agent's plan stands. */
export const planStatusSchema = z.enum(['pending', 'in_progress', 'completed'])

/** Beyond what can be used in a lifetime. A figure above it says nothing, and would make sums of it no number any more. */
const MOST_USED = 1e15
const used = z.number().nonnegative().max(MOST_USED)
const toldOrNull = used.nullable().catch(null)

/** Tokens and money of a run or turn as the program reports them; `null` where it says nothing of one that can be. */
export const agentUsageSchema = z.object({
  inputTokens: toldOrNull,
  outputTokens: toldOrNull,
  /** Part of the input that came from a cache. */
  cachedInputTokens: toldOrNull,
  costUsd: toldOrNull,
  /** What the tokens cost by the table of prices, where the program tells no money; no word of the program's. */
  estimatedUsd: used.optional().catch(undefined),
})

/** One event of a program's stream. Texts are bounded by whoever translates it. */
export const agentEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session'),
    sessionId: z.string(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  /** Said to the operator: the only text that claims are read from. */
  z.object({ kind: z.literal('message'), text: z.string() }),
  z.object({ kind: z.literal('thought'), text: z.string() }),
  z.object({
    kind: z.literal('plan'),
    entries: z.array(z.object({ text: z.string(), status: planStatusSchema })),
  }),
  z.object({
    kind: z.literal('edit'),
    callId: z.string().nullable(),
    tool: z.string(),
    /** As the program names it: absolute, or relative to the workspace. */
    path: z.string(),
    change: editKindSchema.nullable(),
    status: toolStatusSchema,
  }),
  z.object({
    kind: z.literal('command'),
    callId: z.string().nullable(),
    tool: z.string(),
    command: z.string(),
    exitCode: z.int().nullable(),
    status: toolStatusSchema,
  }),
  /** Any other tool call: reading, searching, a server's tool. */
  z.object({
    kind: z.literal('tool'),
    callId: z.string().nullable(),
    tool: z.string(),
    detail: z.string(),
    status: toolStatusSchema,
  }),
  /** A tool the agent asked for and what was answered; `grant` names what would allow it. */
  z.object({
    kind: z.literal('permission'),
    tool: z.string(),
    target: z.string(),
    decision: permissionDecisionSchema,
    by: z.enum(['policy', 'operator', 'program']),
    grant: z.string().nullable(),
  }),
  z.object({ kind: z.literal('usage'), usage: agentUsageSchema }),
  /** The program is alive and its service is struggling. */
  z.object({ kind: z.literal('retry'), reason: z.string() }),
  z.object({ kind: z.literal('warning'), text: z.string() }),
  /**
   * How the program says its turn ended. `interrupted`: no result, whatever the exit code. `rate-limited` and `service-error`:
   * its service let it down.
   */
  z.object({
    kind: z.literal('final'),
    status: z.enum([
      'success',
      'error',
      'denied',
      'limit',
      'unauthenticated',
      'rate-limited',
      'service-error',
      'interrupted',
    ]),
    reason: z.string(),
    /** When its service takes requests again, where it says so apart from its words; epoch ms. */
    resetsAtMs: z.number().nullish(),
  }),
  /** An event of a kind not known here: kept, never failed on. */
  z.object({ kind: z.literal('unknown'), type: z.string(), text: z.string() }),
])

/** What a run's events come to, bounded, as the ledger keeps it with the attempt. */
export const agentActivitySchema = z.object({
  /** To take the session up again; `null` where the program has none. */
  sessionId: z.string().nullable(),
  model: z.string().nullable(),
  version: z.string().nullable(),
  usage: agentUsageSchema.nullable(),
  /** The newest state of each call, oldest first; at most 200 of `edit`, `command`, `tool` and `permission` events together. */
  calls: z.array(agentEventSchema),
  /** Calls left out of `calls`. */
  omittedCalls: z.int().nonnegative(),
  /** Events of unknown kinds, by their type. */
  unknownEvents: z.record(z.string(), z.int()),
  final: z.object({ status: z.string(), reason: z.string() }).nullable(),
})

export type ToolStatus = z.infer<typeof toolStatusSchema>
export type AgentUsage = z.infer<typeof agentUsageSchema>
export type AgentEvent = z.infer<typeof agentEventSchema>
export type AgentEventOf<Kind extends AgentEvent['kind']> = Extract<AgentEvent, { kind: Kind }>
export type AgentActivity = z.infer<typeof agentActivitySchema>
