import { z } from 'zod'
import type { WorkspaceState } from '../record/state.ts'

export const noticeSchema = z.object({
  code: z.string(),
  taskId: z.string().nullable(),
  message: z.string(),
  remedy: z.string().nullable(),
  at: z.string(),
})

export type Notice = z.infer<typeof noticeSchema>

/** For a workspace whose folder does not exist: deleted, renamed or not mounted. */
export const FOLDER_MISSING = 'folder-missing'

export function isFolderMissing(notices: readonly Pick<Notice, 'code'>[]): boolean {
  return notices.some(({ code }) => code === FOLDER_MISSING)
}

/** Returns all notices of the workspace: those of `beside` first, then those of the ledger. */
export function allNotices(state: WorkspaceState, beside: readonly Notice[]): Notice[] {
  const recorded = noticeViews(state)
  // The contract is missing because the folder is; that is reported once.
  const isTold = isFolderMissing(beside)
  return [...beside, ...(isTold ? recorded.filter(({ code }) => code !== 'contract-unreadable') : recorded)]
}

/** Returns the notices in the ledger, environment problems first. */
function noticeViews(state: WorkspaceState): Notice[] {
  // A weakening that is a pending proposal is shown and answered there.
  const isProposed = state.proposals.some((each) => each.state === 'pending' && each.asksLess)
  return state.notices
    .filter(({ code }) => code !== 'contract_weakened' || !isProposed)
    .map((notice) => ({ ...notice, remedy: remedyOf(notice.code, state) }))
}

function remedyOf(code: string, { backoff }: WorkspaceState): string | null {
  if (code === 'suspended') return 'Review the interventions, then resume the workspace.'
  if (code === 'budget-reached')
    return 'To continue today, resume the workspace or raise the limit: under [agent] in pulseward.toml, or in the app’s settings if it applies to all workspaces.'
  if (code === 'budget-not-kept') return "Set a limit with the provider of the agent's model."
  return code === 'backed-off' ? (backoff?.remedy ?? null) : null
}
