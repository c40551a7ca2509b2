import { z } from 'zod'

/** A permission request that no policy answers, so it waits for the operator. All texts from the agent are untrusted. */
export const permissionRequestSchema = z.object({
  id: z.string(),
  workspace: z.string(),
  workspaceName: z.string(),
  attemptId: z.string(),
  taskId: z.string(),
  agentId: z.string(),
  /** Kind of tool in one word: `edit`, `execute`, `fetch` … */
  tool: z.string(),
  /** The file, command line or address, exactly as the agent gives it. */
  target: z.string(),
  title: z.string(),
  /** The entry of `[agent] allow` that would always allow it; `null` if there is none. */
  grant: z.string().nullable(),
  /** The complete `pulseward.toml` line including that entry; `null` if there is none. */
  allowLine: z.string().nullable(),
  askedAt: z.string(),
  /** Denied if not answered by then. */
  expiresAt: z.string(),
})

export type PermissionRequest = z.infer<typeof permissionRequestSchema>
