import type { ConfigurationEdit, ConfigurationReport } from '../../api/schemas/configuration.ts'
import type { DryRun } from '../../api/schemas/contract-trial.ts'
import type { FolderInspection, FolderListing, Template } from '../../api/schemas/setup.ts'
import type { Workspace } from '../../api/schemas/workspace.ts'

export interface NewWorkspace {
  readonly path: string
  /** `null`: the folder has its own. */
  readonly contract: string | null
  readonly configuration: string | null
  /** Hash of the configuration that was shown and is to count; `null`: nothing is approved. */
  readonly approve: string | null
}

/** The part of the host that makes a workspace of a folder. Nothing is written but by `createWorkspace`. */
export interface SetupService {
  templates(): Promise<Template[]>
  folders(path: string): Promise<FolderListing>
  inspectFolder(path: string): Promise<FolderInspection>
  checkNewConfiguration(text: string, edits: readonly ConfigurationEdit[]): ConfigurationReport
  /** Runs the probes of exactly this configuration, which the operator has just been shown. Rejects with `unprocessable`. */
  tryOut(path: string, contract: string, configuration: string): Promise<DryRun>
  /** Rejects with `conflict` where a file to write is there already or the configuration is not the one to approve. */
  createWorkspace(wanted: NewWorkspace): Promise<Workspace>
}
