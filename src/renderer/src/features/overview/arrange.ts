import { mostUrgentFirst } from '../../../../core/read-model/urgency.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'

/** The order of the list of workspaces. */
export const ORDERS = ['urgency', 'score', 'name', 'next'] as const
export type Order = (typeof ORDERS)[number]
export const ORDER_WORDS: Readonly<Record<Order, string>> = {
  urgency: 'urgency',
  score: 'score, lowest first',
  name: 'name',
  next: 'next heartbeat',
}

/** What the workspaces are grouped by. */
export const GROUPINGS = ['none', 'tag', 'agent'] as const
export type Grouping = (typeof GROUPINGS)[number]
export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  none: 'none',
  tag: 'tag',
  agent: 'agent',
}

/** Part of the list under a heading; `null`: workspaces in no group, or all of them. */
export interface Group {
  readonly title: string | null
  readonly workspaces: readonly Workspace[]
}

/** Returns the workspaces in an order; equal ones keep their order. */
export function inOrder(workspaces: readonly Workspace[], order: Order): readonly Workspace[] {
  switch (order) {
    case 'urgency':
      return workspaces.toSorted(mostUrgentFirst)
    case 'score':
      return workspaces.toSorted((a, b) => a.score.score - b.score.score)
    case 'name':
      return workspaces.toSorted((a, b) => a.name.localeCompare(b.name))
    case 'next':
      return workspaces.toSorted((a, b) => dueMs(a) - dueMs(b))
  }
}

/** Sorts running workspaces first and unplanned ones last. */
function dueMs({ running, next }: Workspace): number {
  if (running !== null) return Number.NEGATIVE_INFINITY
  return next.at === null ? Number.MAX_VALUE : Date.parse(next.at)
}

/**
 * Groups sorted workspaces; one with several tags is in several groups. Groups are ordered by their first workspace; those without a group
 * come last.
 */
export function grouped(workspaces: readonly Workspace[], by: Grouping): readonly Group[] {
  if (by === 'none') return [{ title: null, workspaces }]
  const titles = new Set(workspaces.flatMap((workspace) => titlesOf(workspace, by)))
  const rest = workspaces.filter((workspace) => titlesOf(workspace, by).length === 0)
  return [
    ...[...titles].map((title) => ({
      title,
      workspaces: workspaces.filter((workspace) => titlesOf(workspace, by).includes(title)),
    })),
    ...(rest.length === 0 ? [] : [{ title: null, workspaces: rest }]),
  ]
}

function titlesOf({ tags, agentId }: Workspace, by: Exclude<Grouping, 'none'>): readonly string[] {
  if (by === 'tag') return tags
  return agentId === null ? [] : [agentId]
}
