import { z } from 'zod'
import { scoreSchema } from '../../core/read-model/score.ts'
import { workspaceDetailSchema, workspaceSchema } from '../../core/read-model/workspace.ts'
import { notificationSubjectSchema } from '../../core/vocabulary/notification-schema.ts'
import { settingsDocumentSchema } from './settings.ts'

/** A workspace with everything its screen shows. A greater number is newer; each host starts over. */
export const wholeWorkspaceSchema = z.object({ number: z.int(), detail: workspaceDetailSchema })

export type WholeWorkspace = z.infer<typeof wholeWorkspaceSchema>

/** What `GET /api/events` sends; `type` is also the name of the server-sent event. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('score-updated'), workspace: z.string(), score: scoreSchema }),
  /**
   * Something in the workspace changed: `view` is its current state, `null` if this client missed events and must fetch again.
   * `whole` is included if the stream watches it (`workspaces.watch`).
   */
  z.object({
    type: z.literal('workspace-updated'),
    workspace: z.string(),
    view: workspaceSchema.nullable(),
    whole: wholeWorkspaceSchema.optional(),
  }),
  z.object({ type: z.literal('workspaces-changed') }),
  /** An agent requests a permission, or a request was answered or expired: fetch the list again. */
  z.object({ type: z.literal('permissions-changed'), workspace: z.string() }),
  /** The verification of a change started, ended, or reached its next step: fetch its state again. */
  z.object({ type: z.literal('change-updated'), workspace: z.string() }),
  settingsDocumentSchema.extend({ type: z.literal('settings-changed') }),
  /** An update check has finished: fetch the update status again. */
  z.object({ type: z.literal('updates-changed') }),
  /** Only from a center: something in its fleet changed, so fetch what is shown again. */
  z.object({ type: z.literal('fleet-changed') }),
  z.object({
    type: z.literal('attempt-started'),
    workspace: z.string(),
    attemptId: z.string(),
    taskId: z.string(),
  }),
  z.object({
    type: z.literal('attempt-output'),
    workspace: z.string(),
    attemptId: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.object({
    type: z.literal('attempt-finished'),
    workspace: z.string(),
    attemptId: z.string(),
    taskId: z.string(),
  }),
  z.object({
    type: z.literal('notification'),
    workspace: z.string(),
    about: notificationSubjectSchema,
    /** The task, if it is about a single one. */
    task: z.string().nullable(),
    title: z.string(),
    body: z.string(),
  }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
