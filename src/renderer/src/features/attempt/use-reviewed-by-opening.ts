import { use, useEffect } from 'react'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { useApp } from '../../store/use-app.ts'
import { LooksOnly } from '../../ui/button.tsx'

/** Marks the contradiction of an opened attempt as reviewed, once it is really visible: not while the window is hidden. */
export function useReviewedByOpening(workspaceId: string, detail: AttemptDetail | null): void {
  const attemptOpened = useApp((state) => state.attemptOpened)
  const looksOnly = use(LooksOnly)
  const attemptId = detail?.isUnreviewed === true ? detail.attemptId : null
  useEffect(() => {
    if (attemptId === null || looksOnly) return
    const mark = (): void => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', mark)
      void attemptOpened(workspaceId, attemptId)
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [attemptOpened, looksOnly, workspaceId, attemptId])
}
