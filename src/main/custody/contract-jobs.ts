import { contractItems } from '../../core/contract/difference.ts'
import { acceptItems, contractInForce, mergeOperatorEdit, revertItems } from '../../core/contract/in-force.ts'
import { parseContract, runnableTasks } from '../../core/contract/parse.ts'
import { textPatch } from '../files/text-patch.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import { type Worked, worked } from '../process/do-jobs.ts'
import type { Job } from '../process/threads.ts'

/** A question about contracts for the thread that answers it. */
export type ContractCall = {
  [Method in keyof ContractReader]: {
    readonly method: Method
    readonly args: Parameters<ContractReader[Method]>
  }
}[keyof ContractReader]

export const CONTRACT: Job<ContractCall, unknown> = { name: 'contract' }

/** Returns the jobs of a thread that reads contracts. */
export function contractJobs(): readonly Worked[] {
  return [
    worked(CONTRACT, ({ method, args }) => {
      // Safe because the call is typed by the same port.
      const read = contractReader[method] as (...given: unknown[]) => Promise<unknown>
      return read(...args)
    }),
  ]
}

/** Answers in the calling thread. */
export const contractReader: ContractReader = {
  parse: async (text, options) => parseContract(text, options),
  items: async (before, after) => contractItems(before, after),
  inForce: async (base, disk) => {
    const text = contractInForce(base, disk)
    const own = new Set(taskIds(base))
    const counting = text === base ? own : new Set(taskIds(text))
    const proposed = [...counting].filter((id) => !own.has(id))
    return { text, proposed, leftOut: taskIds(disk).filter((id) => !counting.has(id)).length }
  },
  mergeEdit: async (base, seen, disk) => mergeOperatorEdit(base, seen, disk),
  answer: async (answer, base, disk, items) =>
    (answer === 'accept' ? acceptItems : revertItems)(base, disk, items),
  patch: async (file, before, after, maxBytes) => textPatch(file, before, after, maxBytes),
}

function taskIds(text: string): string[] {
  return runnableTasks(parseContract(text)).map(({ id }) => id)
}
