import { useCallback, useState } from 'react'
import { toProblem } from '../api-client/problem.ts'

/** A request to the host: whether it is pending, and a sentence that says why it failed. */
interface Submission {
  readonly busy: boolean
  readonly problem: string | null
  /** Does nothing while the last request is pending; never rejects. */
  submit(action: () => Promise<void>): Promise<void>
}

/** For forms: the error is shown next to what caused it. */
export function useSubmit(): Submission {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = useCallback(
    async (action: () => Promise<void>) => {
      if (busy) return
      setBusy(true)
      setProblem(null)
      try {
        await action()
      } catch (error) {
        setProblem(toProblem(error).message)
      } finally {
        setBusy(false)
      }
    },
    [busy],
  )
  return { busy, problem, submit }
}
