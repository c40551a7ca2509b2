import { readClaims, verifyHere } from '../main/change/open-verify.ts'
import { ChangeProblem } from '../main/change/repository.ts'
import { CliError } from './cli-error.ts'

/** Runs `verify` on this machine; rejects with a `CliError` if it can't. */
export const changeKeeper = {
  verify: async (request: Parameters<typeof verifyHere>[0]) =>
    asCliErrors(async () => {
      try {
        return await verifyHere(request)
      } catch (error) {
        if (!request.signal.aborted) throw error
        throw new ChangeProblem(3, 'Interrupted: nothing was judged, and nothing was left behind.')
      }
    }),
  readClaims: async (path: string) => asCliErrors(() => readClaims(path)),
}

async function asCliErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChangeProblem)
      throw new CliError(error.exitCode, error.exitCode === 2 ? 'USAGE' : 'UNAVAILABLE', error.message, {
        cause: error,
      })
    throw error
  }
}
