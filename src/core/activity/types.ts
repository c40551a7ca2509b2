import { z } from 'zod'
import { editKindSchema } from '../vocabulary/evidence.ts'
import { permissionDecisionSchema } from '../vocabulary/permission.ts'

/*
 * What an agent program reports about itself while it works: its event stream or protocol, translated into one vocabulary. A denial in it
 * is a fact; an edit or a command in it only says where to look. Only snapshots and probes prove that something was done.
 */

/** The state of a tool call. `denied`: refused by a permission; `cancelled`: abandoned with the turn. */
export const toolStatusSchema = z.enum(['started', 'succeeded', 'failed', 'denied', 'cancelled'])

/** The state of a step in an agent's plan. */
export const planStatusSchema = z.enum(['pending', 'in_progress', 'completed'])

/** More than can be used in a lifetime. A larger figure is meaningless, and could make sums infinite. */
const MOST_USED = 1e15
const used = z.number().nonnegative().max(MOST_USED)
const toldOrNull = used.nullable().catch(null)

/** Tokens and cost of a run or turn as the program reports them; `null` if it reports none, or an impossible value. */
export const agentUsageSchema = z.object({
  inputTokens: toldOrNull,
  outputTokens: toldOrNull,
  /** The cached part of the input. */
  cachedInputTokens: toldOrNull,
  costUsd: toldOrNull,
  /** The tokens' cost by the price table if the program reports no cost. Never reported by the program itself. */
  estimatedUsd: used.optional().catch(undefined),
})

/** One event of a program's stream. The translator limits the length of texts. */
export const agentEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session'),
    sessionId: z.string(),
    model: z.string().nullable(),
    version: z.string().nullable(),
  }),
  /** Text to the operator; claims are read only from this. */
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
    /** The program's own name for it: absolute, or relative to the workspace. */
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
  /** Any other tool call: reading, searching, an MCP server's tool. */
  z.object({
    kind: z.literal('tool'),
    callId: z.string().nullable(),
    tool: z.string(),
    detail: z.string(),
    status: toolStatusSchema,
  }),
  /** A tool that the agent requested, and the answer; `grant` names what would allow it. */
  z.object({
    kind: z.literal('permission'),
    tool: z.string(),
    target: z.string(),
    decision: permissionDecisionSchema,
    by: z.enum(['policy', 'operator', 'program']),
    grant: z.string().nullable(),
  }),
  z.object({ kind: z.literal('usage'), usage: agentUsageSchema }),
  /** The program is running, and its service is having problems. */
  z.object({ kind: z.literal('retry'), reason: z.string() }),
  z.object({ kind: z.literal('warning'), text: z.string() }),
  /**
   * How the program says its turn ended. `interrupted`: no result, whatever the exit code. `rate-limited` and `service-error`:
   * its service failed.
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
    /** When its service accepts requests again, if the program reports that in a field; epoch ms. */
    resetsAtMs: z.number().nullish(),
  }),
  /** An event of an unknown kind: kept, never an error. */
  z.object({ kind: z.literal('unknown'), type: z.string(), text: z.string() }),
])

/** The summary of a run's events, limited in size, as the ledger keeps it with the attempt. */
export const agentActivitySchema = z.object({
  /** For resuming the session; `null` if the program has none. */
  sessionId: z.string().nullable(),
  model: z.string().nullable(),
  version: z.string().nullable(),
  usage: agentUsageSchema.nullable(),
  /** The newest state of each call, oldest first; at most 200 of `edit`, `command`, `tool` and `permission` events together. */
  calls: z.array(agentEventSchema),
  /** Calls left out of `calls`. */
  omittedCalls: z.int().nonnegative(),
  /** Events of unknown kinds, by type. */
  unknownEvents: z.record(z.string(), z.int()),
  final: z.object({ status: z.string(), reason: z.string() }).nullable(),
})

export type ToolStatus = z.infer<typeof toolStatusSchema>
export type AgentUsage = z.infer<typeof agentUsageSchema>
export type AgentEvent = z.infer<typeof agentEventSchema>
export type AgentEventOf<Kind extends AgentEvent['kind']> = Extract<AgentEvent, { kind: Kind }>
export type AgentActivity = z.infer<typeof agentActivitySchema>
