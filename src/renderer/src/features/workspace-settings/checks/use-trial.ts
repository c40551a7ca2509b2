import { useEffect, useRef, useState } from 'react'
import type { ApiClient } from '../../../../../api/client.ts'
import { toProblem } from '../../../api-client/problem.ts'
import { useApp } from '../../../store/use-app.ts'
import type { Draft } from '../use-draft.ts'

interface Trial<Result> {
  readonly busy: boolean
  /** The result for the current text: that of a different text is no longer shown. */
  readonly result: Result | null
  readonly problem: string | null
  /** Never rejects; does nothing while a trial is running. */
  start(): Promise<void>
  /** Stops the trial; nothing was recorded. */
  stop(): void
}

/** Measures something once, as the draft of the configuration defines it. Stops when the form is left. */
export function useTrial<Result>(
  { text }: Pick<Draft, 'text'>,
  measure: (api: ApiClient, text: string, signal: AbortSignal) => Promise<Result>,
): Trial<Result> {
  const api = useApp((state) => state.api)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{
    readonly of: string
    readonly result: Result | null
    readonly problem: string | null
  } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (): Promise<void> => {
    if (running.current !== null) return
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    setOutcome(null)
    try {
      setOutcome({ of: text, result: await measure(api, text, controller.signal), problem: null })
    } catch (error) {
      if (!controller.signal.aborted)
        setOutcome({ of: text, result: null, problem: toProblem(error).message })
    } finally {
      running.current = null
      setBusy(false)
    }
  }
  const current = outcome?.of === text ? outcome : null
  return {
    busy,
    result: current?.result ?? null,
    problem: current?.problem ?? null,
    start,
    stop: () => running.current?.abort(),
  }
}
