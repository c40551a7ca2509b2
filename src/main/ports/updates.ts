import type { UpdateOutcome, UpdateStatus } from '../../core/update/status.ts'

/** Other versions of Pulseward. Nothing is fetched before somebody asks, or the setting says so. */
export interface Updates {
  /** Without a look at the network. */
  status(): Promise<UpdateStatus>
  /** Reads the signed feed. Rejects with a `RequestProblem` where it cannot be had or does not count; what was known stays. */
  check(): Promise<UpdateStatus>
  /** Fetches the version (the newest where none is named), and installs it by what the system has. Rejects with a `RequestProblem`, of kind `conflict` while an attempt runs. */
  install(version?: string): Promise<UpdateOutcome>
  /** Installs the version that the latest update replaced. */
  rollBack(): Promise<UpdateOutcome>
  stop(): Promise<void>
}
