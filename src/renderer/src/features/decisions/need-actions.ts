import type { Need } from '../../../../core/read-model/need.ts'
import { NEED_ACTIONS, type NeedKind } from '../../../../core/vocabulary/need.ts'
import { approvalAddress, routeTo, type Tab } from '../../route/route.ts'

/** Actions that are available for a need where it is listed. */
export type NeedDeed =
  | 'accept-held'
  | 'refuse-held'
  | 'accept-proposal'
  | 'revert-proposal'
  | 'allow'
  | 'deny'
  | 'unblock'
  | 'resume'
  | 'run'
  | 'seen'
  | 'land'
  | 'drop'
  | 'see-session'

export interface NeedAction {
  readonly label: string
  /** A letter, pressed while the row has the focus. */
  readonly key: string
  /** Done immediately, or a link. */
  readonly does: { readonly kind: 'deed'; readonly deed: NeedDeed } | { readonly kind: 'go' }
}

const deed = (label: string, key: string, name: NeedDeed): NeedAction => ({
  label,
  key,
  does: { kind: 'deed', deed: name },
})

const DEEDS: Partial<Record<NeedKind, readonly NeedAction[]>> = {
  held: [deed('Accept', 'a', 'accept-held'), deed('Refuse', 'r', 'refuse-held')],
  proposal: [deed('Accept', 'a', 'accept-proposal'), deed('Revert', 'r', 'revert-proposal')],
  permission: [deed('Allow once', 'a', 'allow'), deed('Deny', 'r', 'deny')],
  contradiction: [deed('Seen', 's', 'seen')],
  landing: [deed('Land', 'a', 'land'), deed('Drop', 'r', 'drop')],
  session: [deed('Seen', 's', 'see-session')],
  blocked: [deed('Unblock', 'u', 'unblock')],
  budget: [deed('Resume', 'u', 'resume')],
  'agent-unavailable': [deed('Retry', 'u', 'run')],
}

/** Returns the actions for a need, the most likely one first; the last one leads to a view of it. */
export function actionsFor({ kind }: Pick<Need, 'kind'>): readonly NeedAction[] {
  const deeds = DEEDS[kind] ?? []
  const label = deeds.length === 0 ? NEED_ACTIONS[kind] : 'View'
  return [...deeds, { label, key: 'v', does: { kind: 'go' } }]
}

/** What answers one cause in several workspaces at once; nothing where it can only be looked at. */
export function forAll(
  need: Pick<Need, 'kind'>,
): { readonly label: string; readonly deed: NeedDeed } | undefined {
  const [likeliest] = actionsFor(need)
  return likeliest?.does.kind === 'deed' ? { label: likeliest.label, deed: likeliest.does.deed } : undefined
}

/** The screen that shows a need, if not the workspace's first screen. */
const TAB_OF: Partial<Record<NeedKind, Tab>> = {
  blocked: 'blocked',
  landing: 'landing',
  'landed-differs': 'landing',
  proposal: 'contract',
  'contract-unreadable': 'contract',
}

/** Returns the address of the screen that shows a need. */
export function addressOfNeed({ kind, workspace, id }: Need): string {
  if (kind === 'approve') return approvalAddress(workspace)
  if (kind === 'held') return routeTo(workspace, 'attempt', id)
  if (kind === 'session') return routeTo(workspace, 'session', id)
  return kind === 'landing' ? routeTo(workspace, 'landing', id) : routeTo(workspace, TAB_OF[kind])
}
