import { z } from 'zod'
import { workspaceSchema } from '../../core/read-model/workspace.ts'

const knownWorkspaceSchema = z.object({ id: z.string(), name: z.string(), path: z.string() })

/** A workspace that the host knows only by name. */
export type KnownWorkspace = z.infer<typeof knownWorkspaceSchema>

export type HostStatus = z.infer<typeof hostStatusSchema>

export const hostStatusSchema = z.object({
  version: z.string(),
  startedAt: z.string(),
  dataDirectory: z.string(),
  /** The sender may only read. */
  readsOnly: z.boolean().default(false),
  /** It is the center of a fleet. */
  isCentre: z.boolean().default(false),
  workspaces: z.array(workspaceSchema),
  /** Known but not open yet; they follow within moments of the host's start. */
  opening: z.array(knownWorkspaceSchema).default([]),
  /** Known but not supervised, because they couldn't be opened. */
  unopened: z.array(knownWorkspaceSchema.extend({ reason: z.string() })).default([]),
})
