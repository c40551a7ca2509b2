import type { Theme } from '../../../../api/schemas/settings.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import type { ShieldLevel } from '../../../../core/vocabulary/standing.ts'
import type { NeedDeed } from '../decisions/need-actions.ts'

/** Something that can be found and done; `id` tells one from all others and is what is remembered of it. */
export interface Command {
  readonly id: string
  readonly label: string
  /** Beside the label, quieter: where it belongs, how it stands. */
  readonly hint: string
  readonly group: Group
  /** Found by these too, though they are not shown. */
  readonly keywords: readonly string[]
  readonly act: Act
  /** The standing of the workspace that it leads to. */
  readonly shield?: ShieldLevel
  /** How many contradictions have not been reviewed there. */
  readonly unreviewed?: number
  /** The keys that do the same. */
  readonly keys?: readonly string[]
  /** Only found by what is typed: there are too many of its kind to be listed. */
  readonly isQuiet?: true
}

/** What is done; the palette knows how. */
export type Act =
  | { readonly kind: 'go'; readonly address: string }
  | { readonly kind: 'run' | 'stop' | 'resume'; readonly workspace: string }
  /** `until`: see the API's `heartbeat.pause`. */
  | { readonly kind: 'pause'; readonly workspace: string; readonly until: string | null }
  | { readonly kind: WorkspaceDeed | 'rename'; readonly workspace: Workspace }
  | { readonly kind: 'decide'; readonly need: Need; readonly deed: NeedDeed }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'add-folder' | 'keys' | 'refresh' }

export const WORKSPACE_DEEDS = ['openFolder', 'openInEditor', 'copyPath', 'exportRecord', 'remove'] as const

export type WorkspaceDeed = (typeof WORKSPACE_DEEDS)[number]

export const GROUPS = [
  'Recent',
  'Decisions',
  'Workspaces',
  'Tasks',
  'Attempts',
  'Actions',
  'Screens',
  'Settings',
  'Help',
] as const

/** By which a command finds its keys. */
export type ShortcutName = string

export type Group = (typeof GROUPS)[number]
