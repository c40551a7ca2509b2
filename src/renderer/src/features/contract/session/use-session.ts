import { useCallback, useEffect, useRef, useState } from 'react'
import type { WorkspaceDetail } from '../../../../../core/read-model/workspace.ts'
import { type Problem, toProblem } from '../../../api-client/problem.ts'
import { useApp } from '../../../store/use-app.ts'
import type { ContractSession } from './contract-session.ts'
import { beginSession, openSession } from './sessions.ts'

/** The session of a workspace, kept up to date with the file. */
export function useSession(detail: WorkspaceDetail) {
  const api = useApp((state) => state.api)
  const [session, setSession] = useState<ContractSession | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [round, setRound] = useState(0)
  const { id, name } = detail
  // biome-ignore lint/correctness/useExhaustiveDependencies: round is what asks for another try
  useEffect(() => {
    let isWanted = true
    setProblem(null)
    openSession(api, id).then(
      (opened) => isWanted && setSession(opened),
      (error) => isWanted && setProblem(toProblem(error)),
    )
    return () => {
      isWanted = false
      setSession(null)
    }
  }, [api, id, round])
  useRefresh(session, detail.marks.contract)
  const retry = useCallback(() => setRound((current) => current + 1), [])
  const begin = () => setSession(beginSession(api, id, `# ${name}\n\n## Tasks\n\n`))
  return { session, problem, retry, begin }
}

function useRefresh(session: ContractSession | null, mark: string | undefined): void {
  const seen = useRef(mark)
  useEffect(() => {
    if (session === null || seen.current === mark) return
    seen.current = mark
    void session.refresh()
  }, [session, mark])
}
