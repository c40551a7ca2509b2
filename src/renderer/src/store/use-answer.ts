import { useCallback } from 'react'
import type { ApiClient } from '../../../api/client.ts'
import { type Fetched, useFetched } from './use-fetched.ts'

type Procedure<Input, Output> = (input: Input, options: { signal: AbortSignal }) => Promise<Output>

/** Calls one procedure, and again whenever the contents of `input` or `freshness` change. `choose` must return the same one at each render. */
export function useAnswer<Input, Output>(
  choose: (api: ApiClient) => Procedure<Input, Output>,
  input: NoInfer<Input>,
  freshness: unknown = null,
): Fetched<Output> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object with the same contents asks for nothing new
  const load = useCallback(
    (api: ApiClient, signal: AbortSignal) => choose(api)(input, { signal }),
    [JSON.stringify(input)],
  )
  return useFetched(load, freshness)
}
