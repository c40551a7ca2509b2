import { createPatch, OMIT_HEADERS } from 'diff'
import { useMemo } from 'react'
import { visibleText } from '../../../core/text/visible-text.ts'
import { PatchView } from './patch-view.tsx'

/** Shows everything that changed from one text to the other, with invisible characters made visible. Ignores line ends. */
export function TextDifference({ before, after, label }: { before: string; after: string; label: string }) {
  const patch = useMemo(
    () => createPatch('', shown(before), shown(after), '', '', { context: 3, headerOptions: OMIT_HEADERS }),
    [before, after],
  )
  return patch.trim() === '' ? (
    <p className="small quiet">No line differs.</p>
  ) : (
    <PatchView patch={patch} label={label} isWhole />
  )
}

function shown(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n'))
}
