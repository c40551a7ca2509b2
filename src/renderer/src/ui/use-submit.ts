import { useCallback, useState } from 'react'

/** A request to the host: whether it is pending, and a sentence that says why it failed. */
interface Submission {
  readonly busy: boolean
  readonly problem: string | null
  /** Does nothing while the last request is pending; never rejects. */
  submit(action: () => Promise<void>): Promise<void>
}

/** For forms: the error is shown next to what caused it. `explain` turns what was thrown into a sentence. */
export function useSubmit(explain: (error: unknown) => string): Submission {
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
        setProblem(explain(error))
      } finally {
        setBusy(false)
      }
    },
    [busy, explain],
  )
  return { busy, problem, submit }
}
