import { z } from 'zod'
import { workspaceSchema } from '../../core/read-model/workspace.ts'

export const hostStatusSchema = z.object({
  version: z.string(),
  startedAt: z.string(),
  dataDirectory: z.string(),
  workspaces: z.array(workspaceSchema),
})
