import { z } from 'zod'
import { scoreSchema } from '../../core/read-model/score.ts'
import { workspaceSchema } from '../../core/read-model/workspace.ts'
import { notificationSubjectSchema } from '../../core/vocabulary/notification.ts'
import { settingsDocumentSchema } from './settings.ts'

/** What `GET /api/events` sends; `type` is also the name of the server-sent event. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('score-updated'), workspace: z.string(), score: scoreSchema }),
  /** Something of the workspace changed: `view` is what it looks like now, `null` where this client missed events and fetches again. */
  z.object({
    type: z.literal('workspace-updated'),
    workspace: z.string(),
    view: workspaceSchema.nullable(),
  }),
  z.object({ type: z.literal('workspaces-changed') }),
  /** An agent asks for a permission, or a request was answered or expired: fetch the list again. */
  z.object({ type: z.literal('permissions-changed'), workspace: z.string() }),
  settingsDocumentSchema.extend({ type: z.literal('settings-changed') }),
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
    /** The task it is about, where it is about one alone. */
    task: z.string().nullable(),
    title: z.string(),
    body: z.string(),
  }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
