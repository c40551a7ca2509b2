import { useCallback, useRef } from 'react'
import type { SettingsChanges, SettingsDocument } from '../../../../api/schemas/settings.ts'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'

/** Writes a change and answers with what stands in its way, or `null`. */
export type ChangeSettings = (changes: SettingsChanges) => Promise<string | null>

/** The settings, and the way to change them: one change after the other, each over what is newest. */
export function useSettings(): { document: SettingsDocument | null; change: ChangeSettings } {
  const document = useApp((state) => state.settings)
  const api = useApp((state) => state.api)
  const arrived = useApp((state) => state.settingsArrived)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const change = useCallback<ChangeSettings>(
    (changes) => {
      const write = async (): Promise<string | null> => {
        for (let attempt = 1; ; attempt++) {
          const { hash } = await api.settings.get()
          try {
            arrived(await api.settings.put({ changes, hash }))
            return null
          } catch (error) {
            const problem = toProblem(error)
            // Another window was quicker. Its changes stay: only the settings named here are written.
            if (problem.code !== 'CONFLICT' || attempt === 3) return problem.message
          }
        }
      }
      const result = last.current.then(write).catch((error: unknown) => toProblem(error).message)
      last.current = result
      return result
    },
    [api, arrived],
  )
  return { document, change }
}
