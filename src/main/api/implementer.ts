import { implement } from '@orpc/server'
import { contract } from '../../api/contract.ts'
import type { Log } from '../ports/log.ts'
import { toApiError } from './problems.ts'

/** What a request carries besides its input. */
export interface ApiContext {
  /** The workspace named beside the input (`?workspace=ID`); one named in the input goes before it. */
  readonly workspace?: string
  /** Aborted when the server stops: open event streams end. */
  readonly stopping?: AbortSignal
}

/** The contract with no procedure carried out yet, for `routes` to fill in; what they throw becomes the contract's errors. */
export function createImplementer(log: Log) {
  return implement(contract)
    .$context<ApiContext>()
    .use(async ({ next, path }) => {
      try {
        return await next()
      } catch (error) {
        throw toApiError(error, path.join('.'), log)
      }
    })
}

export type Implementer = ReturnType<typeof createImplementer>

/** The workspace a request means: the one in its input goes before the one named beside it. */
export function named(input: { workspace?: string }, context: ApiContext): string | undefined {
  return input.workspace ?? context.workspace
}
