import { lazy, Suspense, useCallback, useState } from 'react'
import { useGlobalKeys } from './use-global-keys.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })))
const ShortcutsDialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog: component }) => ({ default: component })),
)

type Shown = 'palette' | 'keys' | null

/** The palette and the list of keys: loaded when they are asked for, by key or by `openPalette`. */
export function useFinders(onAddFolder: () => void) {
  const [shown, setShown] = useState<Shown>(null)
  useGlobalKeys(setShown)
  const close = () => setShown(null)
  return {
    openPalette: useCallback(() => setShown('palette'), []),
    finders: (
      <Suspense>
        {shown === 'palette' && (
          <Palette onClose={close} onAddFolder={onAddFolder} onKeys={() => setShown('keys')} />
        )}
        {shown === 'keys' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    ),
  }
}
