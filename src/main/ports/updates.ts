import type { UpdateOutcome, UpdateStatus } from '../../core/update/status.ts'

/** Other versions of Pulseward. Nothing is fetched until someone asks, or the setting says so. */
export interface Updates {
  /** Returns the known status, without network access. */
  status(): Promise<UpdateStatus>
  /** Reads the signed feed. Rejects with a `RequestProblem` if it is not available or not valid; what was known stays. */
  check(): Promise<UpdateStatus>
  /**
   * Fetches the version (the newest if none is named), and installs it with the system's tools. Rejects with a
   * `RequestProblem`, of kind `conflict` while an attempt runs.
   */
  install(version?: string): Promise<UpdateOutcome>
  /** Installs the version that the latest update replaced. */
  rollBack(): Promise<UpdateOutcome>
  stop(): Promise<void>
}
