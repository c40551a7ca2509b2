import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { useApp } from '../../store/use-app.ts'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import type { Missed } from '../../ui/not-fetched.tsx'
import { LabelDialog } from '../workspace-menu/label-dialog.tsx'
import { type Ahead, NOTHING_AHEAD, TypedAhead } from './typed-ahead.tsx'
import { useGlobalKeys } from './use-global-keys.ts'

const Palette = lazyNamed(() => import('./palette.tsx'), 'Palette', NotOpened)
const ShortcutsDialog = lazyNamed(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog', NotOpened)

/** Reports a failed dialog as a message, because a dialog has no place on the page. */
function NotOpened({ props: { onClose }, retry }: Missed<{ readonly onClose: () => void }>) {
  const showToast = useApp((state) => state.showToast)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what it calls is new with each look
  useEffect(() => {
    showToast({ tone: 'problem', text: 'It could not be opened. Is Pulseward still running?', undo: null })
    retry()
    onClose()
  }, [])
  return null
}

type Shown = 'palette' | 'keys' | null

/** The palette and the list of keys, loaded when requested, by key or by `openPalette`. */
export function useFinders(onAddFolder: () => void) {
  const [shown, setShown] = useState<Shown>(null)
  const [renamed, setRenamed] = useState<Workspace | null>(null)
  useGlobalKeys(setShown)
  const ahead = useRef<Ahead>(NOTHING_AHEAD)
  const close = useCallback(() => {
    ahead.current = NOTHING_AHEAD
    setShown(null)
  }, [])
  return {
    openPalette: useCallback(() => setShown('palette'), []),
    finders: (
      <Suspense fallback={shown !== null && <TypedAhead into={ahead} onClose={close} />}>
        {shown === 'palette' && (
          <Palette
            ahead={ahead}
            onClose={close}
            onAddFolder={onAddFolder}
            onKeys={() => setShown('keys')}
            onRename={setRenamed}
          />
        )}
        {renamed !== null && <LabelDialog workspace={renamed} onClose={() => setRenamed(null)} />}
        {shown === 'keys' && <ShortcutsDialog onClose={close} />}
      </Suspense>
    ),
  }
}
