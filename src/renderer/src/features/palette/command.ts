import type { Theme } from '../../../../api/schemas/settings.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import type { ShieldLevel } from '../../../../core/vocabulary/standing.ts'
import type { NeedDeed } from '../decisions/need-actions.ts'

/** Something that can be found and done; `id` identifies it and is remembered. */
export interface Command {
  readonly id: string
  readonly label: string
  /** Shown beside the label in a quieter color: its workspace and standing. */
  readonly hint: string
  readonly group: Group
  /** Also searched, but not shown. */
  readonly keywords: readonly string[]
  readonly act: Act
  /** The standing of the workspace that it belongs to. */
  readonly shield?: ShieldLevel
  /** How many contradictions in it have not been reviewed. */
  readonly unreviewed?: number
  /** The keyboard shortcut for the same action. */
  readonly keys?: readonly string[]
  /** Only found by searching, because there are too many such commands to list. */
  readonly isQuiet?: true
}

/** What the command does; the palette carries it out. */
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

/** The name that a command's keys are looked up by. */
export type ShortcutName = string

export type Group = (typeof GROUPS)[number]
