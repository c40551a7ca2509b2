import { useEffect, useState } from 'react'
import type { ContractSession } from '../session/contract-session.ts'

const PAUSE_MS = 400

/** Returns the text of a session, updated whenever typing pauses. */
export function useSettled(session: ContractSession): string {
  const [text, setText] = useState(() => session.snapshot().source)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = session.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(session.snapshot().source), PAUSE_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [session])
  return text
}
