import { useCallback, useRef, useState } from 'react'
import type { Settings, SettingsChanges, SettingsDocument } from '../../../../api/schemas/settings.ts'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'

/** Writes a change. Returns the problem that prevented it, or `null`. */
export type ChangeSettings = (changes: SettingsChanges) => Promise<string | null>

/** Another window may write at the same moment: then we write again on top of its version. */
const MAX_ATTEMPTS = 3

/**
 * Returns the settings and a function to change them. Changes show at once and are written one at a time, each on top of the latest
 * version.
 */
export function useSettings(): { document: SettingsDocument | null; change: ChangeSettings } {
  const known = useApp((state) => state.settings)
  const api = useApp((state) => state.api)
  const arrived = useApp((state) => state.settingsArrived)
  const [pending, setPending] = useState<readonly SettingsChanges[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const change = useCallback<ChangeSettings>(
    async (changes) => {
      const write = async (): Promise<void> => {
        for (let attempt = 1; ; attempt++) {
          const { hash } = await api.settings.get()
          try {
            return arrived(await api.settings.put({ changes, hash }))
          } catch (error) {
            // The other window's changes stay, because only the settings named here are written.
            if (toProblem(error).code !== 'CONFLICT' || attempt === MAX_ATTEMPTS) throw error
          }
        }
      }
      setPending((others) => [...others, changes])
      const result = last.current.then(write)
      last.current = result.catch(() => undefined)
      try {
        await result
        return null
      } catch (error) {
        return toProblem(error).message
      } finally {
        setPending((others) => others.filter((each) => each !== changes))
      }
    },
    [api, arrived],
  )
  // Requested changes show at once; if refused, they disappear.
  const document =
    known === null ? null : { ...known, settings: pending.reduce<Settings>(changed, known.settings) }
  return { document, change }
}

function changed(settings: Settings, changes: SettingsChanges): Settings {
  const { notifications, limits, ...others } = changes
  return {
    ...settings,
    ...others,
    limits: { ...settings.limits, ...limits },
    notifications: {
      ...settings.notifications,
      ...notifications,
      kinds: { ...settings.notifications.kinds, ...notifications?.kinds },
    },
  }
}
