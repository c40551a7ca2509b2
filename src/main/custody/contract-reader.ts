import type { ContractReader } from '../ports/contract-reader.ts'
import type { Threads } from '../process/threads.ts'
import { CONTRACT, type ContractCall, contractReader } from './contract-jobs.ts'

/** Shorter texts, as people write them, are read in less time than it takes to ask a thread. */
const ON_THE_LOOP_CHARACTERS = 8 * 1024

/** Reads small texts at once and large ones in a thread, where there are any; `key`: what is asked of one workspace waits for its own. */
export function createContractReader(threads: Threads | undefined, key: string): ContractReader {
  if (threads === undefined) return contractReader
  const call = async (asked: ContractCall): Promise<unknown> =>
    threads.run(CONTRACT, asked, `contract ${key}`)
  const isSmall = (...texts: readonly string[]): boolean =>
    texts.reduce((sum, { length }) => sum + length, 0) <= ON_THE_LOOP_CHARACTERS
  // The thread answers as the same port does here.
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
