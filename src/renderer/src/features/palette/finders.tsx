import { Suspense, useCallback, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'
import { LabelDialog } from '../workspace-menu/label-dialog.tsx'
import { useGlobalKeys } from './use-global-keys.ts'

const Palette = lazyNamed(() => import('./palette.tsx'), 'Palette')
const ShortcutsDialog = lazyNamed(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog')

type Shown = 'palette' | 'keys' | null

/** The palette and the list of keys: loaded when they are asked for, by key or by `openPalette`. */
export function useFinders(onAddFolder: () => void) {
  const [shown, setShown] = useState<Shown>(null)
  const [renamed, setRenamed] = useState<Workspace | null>(null)
  useGlobalKeys(setShown)
  const close = () => setShown(null)
  return {
    openPalette: useCallback(() => setShown('palette'), []),
    finders: (
      <Suspense>
        {shown === 'palette' && (
          <Palette
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
