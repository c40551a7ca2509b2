import { create } from 'zustand'
import type { ConfigurationReport } from '../../../../api/schemas/configuration.ts'
import type { DryRun } from '../../../../api/schemas/contract-trial.ts'
import type { FolderInspection } from '../../../../api/schemas/setup.ts'
import type { PresetId } from '../../../../core/agents/programs.ts'

export const STEPS = ['Agent', 'Folder', 'Contract', 'Dry run', 'Start'] as const

export type AgentChoice =
  | { readonly kind: 'preset'; readonly preset: PresetId }
  /** A program of the operator's own, as on a command line. */
  | { readonly kind: 'command'; readonly line: string; readonly name: string }

/** Everything that was chosen so far. Nothing of it is written before the last step. */
export interface SetupData {
  readonly step: number
  /** `null`: nothing was chosen; the first agent found will do. */
  readonly agent: AgentChoice | null
  readonly path: string
  readonly folder: FolderInspection | null
  /** Whether attempts work in separate trees; asked only for a git repository. */
  readonly isolation: 'none' | 'worktree'
  readonly templateId: string
  /** Contracts as they were edited, by template. */
  readonly contracts: Readonly<Record<string, string>>
  /** The configuration as it was edited by hand; `null`: as template and agent make it. */
  readonly configuration: string | null
  /** What the configuration would run; of the folder's own where it has one. */
  readonly report: ConfigurationReport | null
  readonly dryRun: DryRun | null
}

const NOTHING: SetupData = {
  step: 0,
  agent: null,
  path: '',
  folder: null,
  isolation: 'none',
  templateId: 'code',
  contracts: {},
  configuration: null,
  report: null,
  dryRun: null,
}

interface SetupState extends SetupData {
  change(changes: Partial<SetupData>): void
  reset(): void
}

/** Outside the screen: going to look at something else in the app and coming back loses nothing. */
export const useSetup = create<SetupState>()((set) => ({
  ...NOTHING,
  change: (changes) => set(changes),
  reset: () => set(NOTHING),
}))
