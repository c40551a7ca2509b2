import { attentionCount } from '../../api/attention.ts'
import type { Workspace } from '../../api/schemas/workspace.ts'
import { formatSignedPoints } from '../../core/scoring/format.ts'

export type Shield = Workspace['shield']

/** What the tray shows: the worst standing of all workspaces, in a colour, a glyph and words. */
export interface TrayState {
  readonly shield: Shield
  readonly tooltip: string
  /** How many things wait for the operator. */
  readonly attention: number
}

/** Worst first. A suspended workspace waits for the operator, so it goes before all. A paused workspace says nothing about its agent, so any other standing goes before it. */
const worstFirst: readonly Shield[] = [
  'suspended',
  'lockdown',
  'escalated',
  'tightened',
  'warning',
  'none',
  'good',
  'excellent',
  'outstanding',
  'paused',
]

const names: Readonly<Record<Shield, string>> = {
  lockdown: 'Lockdown',
  escalated: 'Escalated',
  tightened: 'Tightened',
  warning: 'Warning',
  none: 'Steady',
  good: 'Good',
  excellent: 'Excellent',
  outstanding: 'Outstanding',
  paused: 'Paused',
  suspended: 'Suspended for review',
}

/** The tray's shield and tooltip; the tooltip lists up to 8 workspaces, worst first. */
export function trayState({
  workspaces,
  permissions,
}: {
  readonly workspaces: readonly Workspace[]
  readonly permissions: readonly unknown[]
}): TrayState {
  if (workspaces.length === 0) return { shield: 'none', tooltip: 'Pulseward: no workspace yet', attention: 0 }
  const sorted = [...workspaces].sort((a, b) => worstFirst.indexOf(a.shield) - worstFirst.indexOf(b.shield))
  const lines = sorted.slice(0, 8).map((workspace) => {
    const { failed } = workspace.score
    const failures = failed === 0 ? '' : `, ${failed} failed`
    return `${workspace.name}: ${scoreWords(workspace)}${failures} · ${names[workspace.shield]}`
  })
  if (sorted.length > lines.length) lines.push(`and ${sorted.length - lines.length} more`)
  return {
    shield: sorted[0]?.shield ?? 'none',
    tooltip: lines.join('\n'),
    attention: workspaces.reduce((sum, workspace) => sum + attentionCount(workspace), permissions.length),
  }
}

/** `+82 of 91`. */
export function scoreWords({ score: { score, target } }: Workspace): string {
  return `${formatSignedPoints(score)} of ${target}`
}

export function standingWords({ shield }: Workspace): string {
  return names[shield]
}
