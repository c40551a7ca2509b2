import { z } from 'zod'
import { hostNameSchema, workspaceIdSchema } from './names.ts'

/*
 * The prompt, output and changes of an attempt. They aren't part of the record, and are sent only if the workspace's configuration allows
 * it: as an object in the host's own bucket at the hub, which expires after a while.
 */

/** The content that a workspace's configuration allows to be sent. */
export interface AllowedContent {
  readonly sendPrompts: boolean
  readonly sendOutput: boolean
  readonly sendDifferences: boolean
}

export const isAnyAllowed = ({ sendPrompts, sendOutput, sendDifferences }: AllowedContent): boolean =>
  sendPrompts || sendOutput || sendDifferences

const attemptIdSchema = z.string().min(1).max(200)

/** Size limit of one part; a host keeps less than that of an attempt. */
export const MAX_CONTENT_PART = 1_280 * 1024

const partSchema = z.string().max(MAX_CONTENT_PART).nullable()

/** The object after decompression. A part is `null` if it is not allowed, or was not kept. */
export const attemptContentSchema = z.object({
  v: z.literal(1),
  prompt: partSchema,
  output: partSchema,
  difference: partSchema,
})

export type AttemptContent = z.infer<typeof attemptContentSchema>

/** Larger than all parts together. */
export const MAX_CONTENT_BYTES = 5 * 1024 * 1024

export const contentName = (workspace: string, attempt: string): string => `${workspace}/${attempt}`

/** A request for content, sent to the center. */
export const contentAskSchema = z.object({
  host: hostNameSchema,
  /** The workspace's id, or its name if only one workspace of that host has it. */
  workspace: z.string().min(1).max(200),
  attempt: attemptIdSchema,
})

export type ContentAsk = z.infer<typeof contentAskSchema>

/** The prompt, output and changes of an attempt on another host. */
export const fleetContentSchema = z.object({
  host: hostNameSchema,
  workspace: workspaceIdSchema,
  attempt: attemptIdSchema,
  /** When it arrived, by the hub's clock, ISO 8601. */
  sentAt: z.string(),
  prompt: z.string().nullable(),
  output: z.string().nullable(),
  difference: z.string().nullable(),
})

export type FleetContent = z.infer<typeof fleetContentSchema>

/** Progress of sending content from this host since it was started. */
export const contentStatusSchema = z.object({
  sent: z.int(),
  waiting: z.int(),
  /** Why sending has stopped; `null` if it hasn't. */
  problem: z.string().nullable(),
})

export type ContentStatus = z.infer<typeof contentStatusSchema>
