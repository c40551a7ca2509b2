import type { Notice, Workspace } from '../../../../api/schemas/workspace.ts'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'

/** The one likely thing to do about a workspace: a place to go, or something done on the spot. */
export type LikelyAction =
  | { readonly kind: 'go'; readonly label: string; readonly address: string }
  | { readonly kind: 'run'; readonly label: string }
  | { readonly kind: 'resume'; readonly label: string }

/** What a workspace asks of the operator. */
export interface Need {
  /** Lower is more urgent; `null` where nothing is asked. */
  readonly urgency: number | null
  /** Why, in one sentence; `null` where nothing is asked. */
  readonly reason: string | null
  readonly action: LikelyAction
}

/** What a workspace asks of the operator: the most urgent of all that stands. */
export function needOf(workspace: Workspace): Need {
  const asked = ASKING.map((ask) => ask(workspace))
  const urgency = asked.findIndex((each) => each !== null)
  const found = asked[urgency]
  if (found === undefined || found === null)
    return { urgency: null, reason: null, action: usualAction(workspace) }
  return { urgency, reason: found.reason, action: { kind: 'go', label: found.label, address: found.address } }
}

/** Who needs the operator stands first, the most urgent before the others; else all stay in their order. */
export function byNeed(workspaces: readonly Workspace[]): Workspace[] {
  const rank = (workspace: Workspace) => needOf(workspace).urgency ?? ASKING.length
  return workspaces.toSorted((a, b) => rank(a) - rank(b))
}

interface Asked {
  readonly reason: string
  readonly label: string
  readonly address: string
}

/** Most urgent first: what has stopped everything, what was tried behind the operator's back, what is stuck, what is amiss. */
const ASKING: readonly ((workspace: Workspace) => Asked | null)[] = [
  ({ id, suspended }) =>
    suspended && {
      reason: `${sentence(suspended.reason)}.`,
      label: 'Review',
      address: routeTo(id),
    },
  (workspace) => waitsForTrust(workspace),
  (workspace) => inLockdown(workspace),
  ({ id, notices }) => aboutNotice(notices, ['contract_weakened'], routeTo(id)),
  (workspace) => blockedTasks(workspace),
  ({ id, notices }) => aboutNotice(notices, ['contract-unreadable'], routeTo(id, 'contract')),
  ({ id, shield, score }) =>
    shield === 'escalated'
      ? {
          reason: `Below zero today${withFailed(score.failed)}.`,
          label: 'Look',
          address: routeTo(id, 'timeline'),
        }
      : null,
  ({ id, notices }) => aboutNotice(notices, null, routeTo(id)),
]

/** Where tasks are blocked too, their attempts are what there is to look at. */
function inLockdown(workspace: Workspace): Asked | null {
  const { id, shield, score } = workspace
  if (shield !== 'lockdown') return null
  const why = `In lockdown${withFailed(score.failed)}`
  const blocked = blockedTasks(workspace)
  if (blocked !== null) return { ...blocked, reason: `${why}; ${blocked.reason}` }
  return { reason: `${why}.`, label: 'Look', address: routeTo(id, 'timeline') }
}

function blockedTasks({ id, counts }: Workspace): Asked | null {
  if (counts.blocked === 0) return null
  return {
    reason: `${counted(counts.blocked, 'task has', 'tasks have')} no attempts left.`,
    label: 'Unblock',
    address: routeTo(id, 'blocked'),
  }
}

function withFailed(failed: number): string {
  return failed === 0 ? '' : ` with ${counted(failed, 'failed verdict')}`
}

function waitsForTrust({ id, trust }: Workspace): Asked | null {
  const address = routeTo(id)
  switch (trust) {
    case 'unapproved':
      return { reason: 'Nothing runs before you approve its commands.', label: 'Approve', address }
    case 'missing':
      return { reason: 'It has no pulseward.toml yet.', label: 'Look', address }
    case 'changed':
      return { reason: 'pulseward.toml has changed since you approved it.', label: 'Approve', address }
    case 'approved':
      return null
  }
}

function aboutNotice(
  notices: readonly Notice[],
  codes: readonly string[] | null,
  address: string,
): Asked | null {
  const notice = notices.find(({ code }) => codes === null || codes.includes(code))
  if (notice === undefined) return null
  const remedy = notice.remedy === null ? '' : ` ${notice.remedy}`
  return { reason: `${sentence(notice.message)}${remedy}`, label: 'Look', address }
}

function usualAction({ id, running, paused }: Workspace): LikelyAction {
  if (running !== null) return { kind: 'go', label: 'Watch', address: routeTo(id) }
  if (paused !== null) return { kind: 'resume', label: 'Resume' }
  return { kind: 'run', label: 'Run now' }
}
