import type { ContractReader } from '../ports/contract-reader.ts'
import type { Threads } from '../process/threads.ts'
import { CONTRACT, type ContractCall, contractReader } from './contract-jobs.ts'

/** Shorter texts, as people write them, take less time to read than to hand to a thread. */
const ON_THE_LOOP_CHARACTERS = 8 * 1024

/**
 * Reads small texts at once, and large ones in a thread if there are threads; `key`: requests for one workspace wait only for each other.
 */
export function createContractReader(threads: Threads | undefined, key: string): ContractReader {
  if (threads === undefined) return contractReader
  const call = async (asked: ContractCall): Promise<unknown> =>
    threads.run(CONTRACT, asked, `contract ${key}`)
  const isSmall = (...texts: readonly string[]): boolean =>
    texts.reduce((sum, { length }) => sum + length, 0) <= ON_THE_LOOP_CHARACTERS
  // The thread answers like the local reader, with the same port.
  const through = <Method extends keyof ContractReader>(method: Method, textsAt: readonly number[]) =>
    ((...args: unknown[]) =>
      isSmall(...textsAt.map((at) => String(args[at])))
        ? (contractReader[method] as (...given: unknown[]) => Promise<unknown>)(...args)
        : call({ method, args } as ContractCall)) as ContractReader[Method]
  return {
    parse: through('parse', [0]),
    items: through('items', [0, 1]),
    inForce: through('inForce', [0, 1]),
    mergeEdit: through('mergeEdit', [0, 1, 2]),
    answer: through('answer', [1, 2]),
    patch: through('patch', [1, 2]),
  }
}
