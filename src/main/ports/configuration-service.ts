import type {
  Configuration,
  ConfigurationEdit,
  ConfigurationReport,
} from '../../api/schemas/configuration.ts'

/** The part of the host that reads, checks and writes `pulseward.toml` of a workspace. */
export interface ConfigurationService {
  configuration(workspace: string | undefined): Promise<Configuration>
  /** Nothing is written. Without any workspace the text is held against no approval. */
  checkConfiguration(
    workspace: string | undefined,
    text: string,
    edits: readonly ConfigurationEdit[],
  ): Promise<ConfigurationReport>
  /**
   * Writes the text; with `approve` it counts at once, by exactly this text. Rejects with `conflict` where the file is not the one
   * with `hash` (`null`: there is to be none), with `unprocessable` where it cannot be written or a text to approve has problems.
   */
  writeConfiguration(
    workspace: string | undefined,
    text: string,
    hash: string | null,
    approve: boolean,
  ): Promise<Configuration>
}
