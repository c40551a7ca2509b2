import type { AnsweredTexts, MergedEdit } from '../../core/contract/in-force.ts'
import type { ParseOptions } from '../../core/contract/parse-options.ts'
import type { ProposalItem } from '../../core/contract/proposal-items.ts'
import type { Contract } from '../../core/contract/types.ts'

/** The contract that counts, and what of it is an agent's. */
export interface TextInForce {
  readonly text: string
  /** Ids of the tasks that an agent added. */
  readonly proposed: readonly string[]
  /** Tasks on disk that do not count: an agent added too much, or they cannot be told apart from the rest. */
  readonly leftOut: number
}

/**
 * Everything that is asked of a contract's text, done where it keeps nobody waiting: an agent writes that text, and a large one takes
 * seconds to read and to compare. Rejects only where the host is stopping.
 */
export interface ContractReader {
  parse(text: string, options?: ParseOptions): Promise<Contract>
  /** Every difference between two texts, checked boxes included. */
  items(before: string, after: string): Promise<readonly ProposalItem[]>
  inForce(base: string, disk: string): Promise<TextInForce>
  mergeEdit(base: string, seen: string, disk: string): Promise<MergedEdit>
  /** The texts once these items of what waits are accepted or reverted; `null` where they cannot be taken apart from the others. */
  answer(
    answer: 'accept' | 'revert',
    base: string,
    disk: string,
    items: readonly ProposalItem[],
  ): Promise<AnsweredTexts | null>
  /** The unified difference in at most `maxBytes`; `null` where there is none, or it would take too long. */
  patch(file: string, before: string, after: string, maxBytes: number): Promise<string | null>
}
