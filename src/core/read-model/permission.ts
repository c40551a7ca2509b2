import { z } from 'zod'

/** What an agent requests permission for and no policy answers: it waits for the operator. All texts of the agent's are untrusted. */
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
  /** The entry of `[agent] allow` that would always allow it; `null` if none can. */
  grant: z.string().nullable(),
  /** The whole line for `pulseward.toml` with that entry in it; `null` where none can. */
  allowLine: z.string().nullable(),
  askedAt: z.string(),
  /** Without an answer until then it is denied. */
  expiresAt: z.string(),
})

export type PermissionRequest = z.infer<typeof permissionRequestSchema>
