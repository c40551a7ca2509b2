import { useCallback, useState } from 'react'

/** One thing asked of the host: whether it is under way, and in words why it failed. */
interface Submission {
  readonly busy: boolean
  readonly problem: string | null
  /** Does nothing while the last one is under way; never rejects. */
  submit(action: () => Promise<void>): Promise<void>
}

/** For forms: the error is shown in place, beside what caused it. `explain` turns what was thrown into words. */
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
