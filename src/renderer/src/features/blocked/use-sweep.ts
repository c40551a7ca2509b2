import { useEffect, useRef, useState } from 'react'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'

/** The result of measuring the checks of the blocked tasks when the screen opens. */
export type Sweeping =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly at: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** Measures which checks pass now, once, when the screen opens and there is something to measure; calls `retry` to load the findings. */
export function useSweep(workspaceId: string, count: number, retry: () => void): Sweeping {
  const api = useApp((state) => state.api)
  const [sweeping, setSweeping] = useState<Sweeping>({ kind: 'idle' })
  const isBegun = useRef(false)
  useEffect(() => {
    if (count === 0 || isBegun.current) return
    isBegun.current = true
    setSweeping({ kind: 'checking' })
    api.tasks.sweep({ workspace: workspaceId }).then(
      () => {
        setSweeping({ kind: 'checked', at: new Date().toISOString() })
        retry()
      },
      (error: unknown) => setSweeping({ kind: 'failed', reason: toProblem(error).message }),
    )
  }, [api, workspaceId, count, retry])
  return sweeping
}
