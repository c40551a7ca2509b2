import type { ProposalItem } from '../../core/contract/proposal-items.ts'

/** A file in its effective version. `hash` is the SHA-256 of its bytes in hex. */
export type ContractFile =
  | {
      readonly ok: true
      readonly text: string
      readonly hash: string
      /** Tasks that an agent added and the operator has not accepted; omitted if none. */
      readonly proposed?: ReadonlySet<string>
      /** Tasks on disk that don't count; omitted if none. */
      readonly leftOut?: number
      /** The text without an agent's additions; omitted: the same text. */
      readonly operatorsText?: string
    }
  /** Missing, unreadable or too large: a sentence with the remedy. */
  | { readonly ok: false; readonly reason: string }

/** Where an agent can write besides its own workspace: in these folders and below, as absolute paths. */
export type WriteReach = 'everywhere' | readonly string[]

/** A run of an agent. A change on disk during it counts as the agent's. */
export interface SupervisedRun {
  readonly attemptIds: readonly string[]
  readonly agentId: string
  readonly cycle: number
  readonly reach: WriteReach
}

/** What a run changed in contract and configuration. */
export interface RunEdits {
  /** `HEARTBEAT.md` as the run left it; `null` if it can no longer be read. */
  readonly contractText: string | null
  /** Changes proposed since the run began or was last observed. */
  readonly items: readonly ProposalItem[]
}

/** Keeps contract and configuration as the operator left them, whatever an agent does to the files. */
export interface ContractCustody {
  /** Returns the contract in effect. Checks the disk first, and records what changed there. Rejects if that can't be recorded. */
  inForce(): Promise<ContractFile>
  /** Call before an agent starts: earlier changes belong to no run. */
  begin(run: SupervisedRun): Promise<void>
  /** Returns what the run that began last has changed so far. */
  observe(): Promise<RunEdits>
  /** Boxes of open tasks that the run checked, except for those that were verified, become proposed changes. */
  decideBoxes(verified: ReadonlySet<string>): Promise<readonly ProposalItem[]>
  /** Call when agent and checks have ended: changes are the operator's again. */
  end(): Promise<void>
}
