import { standingTitle } from '../../core/read-model/standing-title.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { formatSignedPoints } from '../../core/scoring/format.ts'
import { type ShieldLevel, worstShieldFirst } from '../../core/vocabulary/standing.ts'
import { unreviewedCount } from '../../core/vocabulary/unreviewed.ts'
import { isolatedName } from './label.ts'

/** What the tray shows: the worst standing of all workspaces, as a color, a glyph and words. */
export interface TrayState {
  readonly shield: ShieldLevel
  /** Number of unreviewed contradictions in all workspaces. */
  readonly unreviewed: number
  /** The same as a phrase; empty for none. */
  readonly unreviewedWords: string
  /** The score of the worst workspace, for systems that show text beside an icon; empty without a workspace. */
  readonly title: string
  /** Starts with the unreviewed contradictions, then has a line for each workspace that starts with its score. */
  readonly tooltip: string
  /** How many things need the operator. */
  readonly attention: number
}

/** Returns the tray's shield and tooltip; the tooltip lists up to 8 workspaces, worst first. */
export function trayState({ workspaces }: { readonly workspaces: readonly Workspace[] }): TrayState {
  if (workspaces.length === 0)
    return {
      shield: 'none',
      unreviewed: 0,
      unreviewedWords: '',
      title: '',
      tooltip: 'Pulseward: no workspace yet',
      attention: 0,
    }
  const sorted = worstFirst(workspaces)
  const [worst] = sorted
  const lines = sorted.slice(0, 8).map((workspace) => {
    const { failed } = workspace.score
    const failures = failed === 0 ? '' : `, ${failed} not verified`
    return `${scoreWords(workspace)} ${isolatedName(workspace.name)}${failures} · ${standingTitle(workspace)}`
  })
  if (sorted.length > lines.length) lines.push(`and ${sorted.length - lines.length} more`)
  const unreviewed = workspaces.reduce((sum, each) => sum + each.unreviewed, 0)
  const others = workspaces.reduce((sum, each) => sum + (each.unreviewedOthers ?? 0), 0)
  const unreviewedWords = unreviewedCount(unreviewed, others)
  return {
    shield: worst?.shield ?? 'none',
    unreviewed,
    unreviewedWords,
    title: worst === undefined ? '' : formatSignedPoints(worst.score.score),
    tooltip: [...(unreviewed === 0 ? [] : [unreviewedWords]), ...lines].join('\n'),
    attention: workspaces.reduce((sum, { needs }) => sum + needs.length, 0),
  }
}

/** Sorts by standing, then by score. */
export function worstFirst(workspaces: readonly Workspace[]): Workspace[] {
  return workspaces.toSorted((a, b) => worstShieldFirst(a.shield, b.shield) || a.score.score - b.score.score)
}

/** Returns the score in words: `+82 of 91`. */
export function scoreWords({ score: { score, target } }: Workspace): string {
  return `${formatSignedPoints(score)} of ${target}`
}
