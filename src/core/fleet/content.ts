import { z } from 'zod'
import { hostNameSchema, workspaceIdSchema } from './names.ts'

/*
 * What was asked, said and changed in an attempt: no part of its record, and sent only where the configuration of its
 * workspace allows it. An object of the host's own bucket at the hub, which goes after a while.
 */

/** Of a workspace's configuration. */
export interface AllowedContent {
  readonly sendPrompts: boolean
  readonly sendOutput: boolean
  readonly sendDifferences: boolean
}

export const isAnyAllowed = ({ sendPrompts, sendOutput, sendDifferences }: AllowedContent): boolean =>
  sendPrompts || sendOutput || sendDifferences

const attemptIdSchema = z.string().min(1).max(200)

/** One part is never longer; what a host keeps of an attempt is shorter. */
export const MAX_CONTENT_PART = 1_280 * 1024

const partSchema = z.string().max(MAX_CONTENT_PART).nullable()

/** The object, packed. `null`: it is not allowed, or was not kept. */
export const attemptContentSchema = z.object({
  v: z.literal(1),
  prompt: partSchema,
  output: partSchema,
  difference: partSchema,
})

export type AttemptContent = z.infer<typeof attemptContentSchema>

/** Longer than all parts of one that no pure chance makes larger. */
export const MAX_CONTENT_BYTES = 5 * 1024 * 1024

export const contentName = (workspace: string, attempt: string): string => `${workspace}/${attempt}`

/** What the centre is asked for. */
export const contentAskSchema = z.object({
  host: hostNameSchema,
  /** Its id, or its name where only one of that host has it. */
  workspace: z.string().min(1).max(200),
  attempt: attemptIdSchema,
})

export type ContentAsk = z.infer<typeof contentAskSchema>

/** What was asked, said and changed in an attempt of another host. */
export const fleetContentSchema = z.object({
  host: hostNameSchema,
  workspace: workspaceIdSchema,
  attempt: attemptIdSchema,
  /** When it came, by the hub's clock, ISO 8601. */
  sentAt: z.string(),
  prompt: z.string().nullable(),
  output: z.string().nullable(),
  difference: z.string().nullable(),
})

export type FleetContent = z.infer<typeof fleetContentSchema>

/** How it is on its way from this host, since it was started. */
export const contentStatusSchema = z.object({
  sent: z.int(),
  waiting: z.int(),
  /** Why it stands still; `null`: it does not. */
  problem: z.string().nullable(),
})

export type ContentStatus = z.infer<typeof contentStatusSchema>
