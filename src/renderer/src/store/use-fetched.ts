import { useCallback, useEffect, useState } from 'react'
import type { ApiClient } from '../../../api/client.ts'
import { type Problem, toProblem } from '../api-client/problem.ts'
import { useApp } from './use-app.ts'

/** Data that a part of the page fetches for itself. The last value stays while it is fetched again. */
export interface Fetched<T> {
  readonly value: T | null
  /** Why the latest fetch failed. */
  readonly problem: Problem | null
  retry(): void
}

/** Fetches with `load`, which must be memoized, and again whenever `freshness` changes. */
export function useFetched<T>(
  load: (api: ApiClient, signal: AbortSignal) => Promise<T>,
  freshness: unknown,
): Fetched<T> {
  const api = useApp((state) => state.api)
  const [value, setValue] = useState<T | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: freshness and round are what ask for a new fetch
  useEffect(() => {
    const abort = new AbortController()
    load(api, abort.signal).then(
      (fetched) => {
        if (abort.signal.aborted) return
        setValue(fetched)
        setProblem(null)
      },
      (error) => !abort.signal.aborted && setProblem(toProblem(error)),
    )
    return () => abort.abort()
  }, [api, load, freshness, round])
  const retry = useCallback(() => setRound((current) => current + 1), [])
  return { value, problem, retry }
}
