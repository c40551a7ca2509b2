import type { ProposalItem } from '../../core/contract/proposal-items.ts'

/** A file as it counts. `hash` is the SHA-256 of its bytes in hex. */
export type ContractFile =
  | {
      readonly ok: true
      readonly text: string
      readonly hash: string
      /** Tasks that an agent added and the operator has not accepted; left out: none. */
      readonly proposed?: ReadonlySet<string>
      /** Tasks on disk that do not count; left out: none. */
      readonly leftOut?: number
      /** Without anything that an agent added; left out: the same text. */
      readonly operatorsText?: string
    }
  /** Missing, unreadable or too large: a sentence with the remedy. */
  | { readonly ok: false; readonly reason: string }

/** Where an agent can write beside its own workspace: in these folders and below them, as absolute paths. */
export type WriteReach = 'everywhere' | readonly string[]

/** A run of an agent during which a change on disk is taken as the agent's. */
export interface SupervisedRun {
  readonly attemptIds: readonly string[]
  readonly agentId: string
  readonly cycle: number
  readonly reach: WriteReach
}

/** What a run changed of contract and configuration. */
export interface RunEdits {
  /** `HEARTBEAT.md` as the run left it; `null` where it cannot be read any more. */
  readonly contractText: string | null
  /** Newly proposed since the run began or was last looked at. */
  readonly items: readonly ProposalItem[]
}

/** Holds contract and configuration as the operator left them, whatever an agent makes of the files. */
export interface ContractCustody {
  /** The contract that counts now. Looks at the disk first, and records what changed there. Rejects where that cannot be recorded. */
  inForce(): Promise<ContractFile>
  /** An agent is about to start: what has changed until now was nobody's of a run. */
  begin(run: SupervisedRun): Promise<void>
  /** What the run that began last has changed until now. */
  observe(): Promise<RunEdits>
  /** Boxes of open tasks that the run checked, but for those that were verified: they are proposals. */
  decideBoxes(verified: ReadonlySet<string>): Promise<readonly ProposalItem[]>
  /** Agent and checks are gone: what changes from here on is the operator's again. */
  end(): Promise<void>
}
