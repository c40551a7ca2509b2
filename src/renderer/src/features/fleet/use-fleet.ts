import { useCallback, useEffect, useRef, useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import { coalesced } from '../../store/coalesced.ts'
import { useApp } from '../../store/use-app.ts'
import type { Fetched } from '../../store/use-fetched.ts'

interface Shown<T> {
  readonly value: T | null
  readonly problem: Problem | null
}

/**
 * Fetches data for a part of the fleet's screen with `load`, which must be memoized, and again whenever something in the fleet changes.
 * Because a fleet changes every second, a pending request is awaited instead of being replaced as elsewhere.
 */
export function useFleet<T>(load: (api: ApiClient, signal: AbortSignal) => Promise<T>): Fetched<T> {
  const api = useApp((state) => state.api)
  const changes = useApp((state) => state.fleetChanges)
  const [shown, setShown] = useState<Shown<T>>({ value: null, problem: null })
  const ask = useRef<(() => Promise<void>) | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const fetch = coalesced(async () => {
      try {
        const value = await load(api, abort.signal)
        if (!abort.signal.aborted) setShown({ value, problem: null })
      } catch (error) {
        if (!abort.signal.aborted) setShown((before) => ({ ...before, problem: toProblem(error) }))
      }
    })
    ask.current = fetch
    void fetch()
    return () => abort.abort()
  }, [api, load])
  const asked = useRef(changes)
  useEffect(() => {
    if (asked.current === changes) return
    asked.current = changes
    void ask.current?.()
  }, [changes])
  return { ...shown, retry: useCallback(() => void ask.current?.(), []) }
}
