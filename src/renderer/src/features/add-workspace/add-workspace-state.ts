import { create } from 'zustand'
import type { ConfigurationReport } from '../../../../api/schemas/configuration.ts'
import type { DryRun } from '../../../../api/schemas/contract-trial.ts'
import type { FolderInspection } from '../../../../api/schemas/setup.ts'
import type { PresetId } from '../../../../core/agents/programs.ts'

export const STEPS = ['Agent', 'Folder', 'Contract', 'Dry run', 'Start'] as const

export type AgentChoice =
  | { readonly kind: 'preset'; readonly preset: PresetId }
  /** The operator's own program, as a command line. */
  | { readonly kind: 'command'; readonly line: string; readonly name: string }

/** Everything chosen so far. Nothing is written before the last step. */
export interface SetupData {
  readonly step: number
  /** `null`: nothing was chosen, so the first agent found is used. */
  readonly agent: AgentChoice | null
  readonly path: string
  readonly folder: FolderInspection | null
  /** Whether attempts work in separate trees; only offered for a git repository. */
  readonly isolation: 'none' | 'worktree'
  readonly templateId: string
  /** Edited contracts, by template. */
  readonly contracts: Readonly<Record<string, string>>
  /** The configuration as edited by hand; `null`: as generated from template and agent. */
  readonly configuration: string | null
  /** What the configuration would run; that of the folder's own configuration if it has one. */
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

/** Kept outside the screen, so that leaving it and coming back loses nothing. */
export const useSetup = create<SetupState>()((set) => ({
  ...NOTHING,
  change: (changes) => set(changes),
  reset: () => set(NOTHING),
}))
