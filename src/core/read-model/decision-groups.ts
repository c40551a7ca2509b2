import { NEED_KINDS, type NeedKind } from '../vocabulary/need.ts'
import type { Need } from './need.ts'
import { mostUrgentFirst } from './urgency.ts'
import type { Workspace } from './workspace.ts'

/** Decisions that can be made together: a single one, those with one cause in several workspaces, or those of one kind in a workspace. */
export interface DecisionGroup {
  /** Unique among the groups, and stable as long as the cause is. */
  readonly key: string
  readonly kind: NeedKind
  /** At least one, in the order of their workspaces. */
  readonly needs: readonly Need[]
  /** `cause`: the same decision in several workspaces. `workspace`: several decisions in one workspace. */
  readonly by: 'nothing' | 'cause' | 'workspace'
}

/** Kinds that can stop several workspaces at once and are fixed once. */
const SHARED: readonly NeedKind[] = ['suspension', 'agent-unavailable', 'budget', 'finding']
/** Kinds that are counted per workspace and have their own screen. */
const GATHERED: readonly NeedKind[] = ['blocked']

/**
 * Returns the decisions of workspaces in groups: the most urgent kind first, within a kind the workspace with the worst standing. Each need
 * is in exactly one group.
 */
export function decisionGroups(
  workspaces: readonly Workspace[],
  kinds: readonly NeedKind[] = NEED_KINDS,
): readonly DecisionGroup[] {
  const needs = workspaces
    .toSorted(mostUrgentFirst)
    .flatMap((workspace) => workspace.needs)
    .filter(({ kind }) => kinds.includes(kind))
    .toSorted((a, b) => NEED_KINDS.indexOf(a.kind) - NEED_KINDS.indexOf(b.kind))
  const groups = new Map<string, Need[]>()
  for (const need of needs) {
    const key = keyOf(need)
    groups.set(key, [...(groups.get(key) ?? []), need])
  }
  return [...groups].map(([key, members]) => ({
    key,
    kind: members[0]?.kind ?? 'finding',
    needs: members,
    by: byOf(members),
  }))
}

function keyOf({ kind, workspace, id, reason }: Need): string {
  if (SHARED.includes(kind)) return `${kind}\n${reason}`
  return GATHERED.includes(kind) ? `${kind}\n${workspace}` : `${kind}\n${workspace}\n${id}\n${reason}`
}

function byOf(members: readonly Need[]): DecisionGroup['by'] {
  if (members.length === 1) return 'nothing'
  return members.every(({ workspace }) => workspace === members[0]?.workspace) ? 'workspace' : 'cause'
}
