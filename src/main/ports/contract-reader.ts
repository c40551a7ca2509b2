import type { AnsweredTexts, MergedEdit } from '../../core/contract/in-force.ts'
import type { ParseOptions } from '../../core/contract/parse-options.ts'
import type { ProposalItem } from '../../core/contract/proposal-items.ts'
import type { Contract } from '../../core/contract/types.ts'

/** The contract in effect, and which parts an agent added. */
export interface TextInForce {
  readonly text: string
  /** Ids of the tasks that an agent added. */
  readonly proposed: readonly string[]
  /** Tasks on disk that don't count: an agent added too much, or they can't be separated from the rest. */
  readonly leftOut: number
}

/**
 * Parses and compares contract texts where that blocks no one: an agent writes them, and a large one takes seconds. Rejects only if the
 * host is stopping.
 */
export interface ContractReader {
  parse(text: string, options?: ParseOptions): Promise<Contract>
  /** Returns every difference between two texts, checked boxes included. */
  items(before: string, after: string): Promise<readonly ProposalItem[]>
  inForce(base: string, disk: string): Promise<TextInForce>
  mergeEdit(base: string, seen: string, disk: string): Promise<MergedEdit>
  /** Returns the texts after accepting or reverting these pending items; `null` if they can't be separated from the others. */
  answer(
    answer: 'accept' | 'revert',
    base: string,
    disk: string,
    items: readonly ProposalItem[],
  ): Promise<AnsweredTexts | null>
  /** Returns the unified diff in at most `maxBytes`; `null` if there is none, or it would take too long. */
  patch(file: string, before: string, after: string, maxBytes: number): Promise<string | null>
}
