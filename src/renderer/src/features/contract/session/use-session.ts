import { useCallback, useEffect, useRef, useState } from 'react'
import type { WorkspaceDetail } from '../../../../../core/read-model/workspace.ts'
import { type Problem, toProblem } from '../../../api-client/problem.ts'
import { useApp } from '../../../store/use-app.ts'
import type { ContractSession } from './contract-session.ts'
import { beginSession, openSession } from './sessions.ts'

/** Returns the session of a workspace, kept up to date with the file. */
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
  const retry = useCallback(() => setRound((current) => current + 1), [])
  useRefresh(session, detail.marks.contract, retry)
  const create = () => setSession(beginSession(api, id, `# ${name}\n\n## Tasks\n\n`))
  const kept = useKeptText(id, problem !== null)
  const restore = async () => {
    if (kept === null) return
    try {
      // Only if there is no file: keep one that has appeared in the meantime.
      await api.contract.put({ workspace: id, text: kept, hash: '' })
      retry()
    } catch (error) {
      setProblem(toProblem(error))
    }
  }
  return { session, problem, retry, create, restore: kept === null ? null : restore }
}

/** The last valid contract, loaded if the file cannot be read. */
function useKeptText(id: string, isWanted: boolean): string | null {
  const api = useApp((state) => state.api)
  const [kept, setKept] = useState<string | null>(null)
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    api.contract.last({ workspace: id }).then(
      ({ text }) => isCurrent && setKept(text),
      // The message above says what is wrong.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [api, id, isWanted])
  return kept
}

/** Once the file has changed, takes it in; where it could not be read, tries again. */
function useRefresh(session: ContractSession | null, mark: string | undefined, retry: () => void): void {
  const seen = useRef(mark)
  useEffect(() => {
    if (seen.current === mark) return
    seen.current = mark
    if (session === null) retry()
    else void session.refresh()
  }, [session, mark, retry])
}
