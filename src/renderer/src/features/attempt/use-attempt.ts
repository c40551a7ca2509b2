import { useCallback, useEffect, useState } from 'react'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { type Problem, toProblem } from '../../api-client/problem.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { useApp } from '../../store/use-app.ts'

/** Loads one full attempt, and again when its verdict is overruled; `problem` says why it could not be loaded. */
export function useAttempt(workspaceId: string, attempt: AttemptRow) {
  const api = useApp((state) => state.api)
  const [detail, setDetail] = useState<AttemptDetail | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, setRound] = useState(0)
  const overruledAt = attempt.overruled?.at
  const { feedback } = attempt
  const undoneAt = attempt.undone?.at
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry, rating, overruling or restore must fetch the attempt again
  useEffect(() => {
    const abort = new AbortController()
    setProblem(null)
    api.attempts.get({ workspace: workspaceId, id: attempt.attemptId }, { signal: abort.signal }).then(
      (fetched) => !abort.signal.aborted && setDetail(fetched),
      (error) => !abort.signal.aborted && setProblem(toProblem(error)),
    )
    return () => abort.abort()
  }, [api, workspaceId, attempt.attemptId, overruledAt, feedback, undoneAt, round])
  const retry = useCallback(() => setRound((current) => current + 1), [])
  return { detail, problem, retry }
}
