import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { adoptingDocument } from '../editor/adopting-document.ts'
import { contractTheme } from '../editor/theme.ts'
import styles from './conflict.module.css'

/** Two texts side by side, with differences marked and long equal sections folded. */
export function DiffView({
  before,
  after,
  labels,
}: {
  before: string
  after: string
  labels: readonly [string, string]
}) {
  const box = useRef<HTMLDivElement>(null)
  const [beforeLabel, afterLabel] = labels
  useEffect(() => {
    if (box.current === null) return
    const view = new MergeView({
      a: { doc: before, extensions: side(beforeLabel) },
      b: { doc: after, extensions: side(afterLabel) },
      parent: box.current,
      root: adoptingDocument(),
      collapseUnchanged: { margin: 2, minSize: 4 },
      diffConfig: { scanLimit: 500, timeout: 200 },
    })
    return () => view.destroy()
  }, [before, after, beforeLabel, afterLabel])
  return (
    <figure className={styles.diff}>
      <figcaption className={styles.captions}>
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </figcaption>
      <div ref={box} className={styles.views} />
    </figure>
  )
}

function side(label: string) {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    // Without being editable it is not a text box for assistive technology, but it can still be scrolled by keyboard.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    contractTheme,
    diffColours,
  ]
}

const diffColours = EditorView.theme({
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--contradiction-wash)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'light-dark(#eefaf3, #14231b)' },
  '&.cm-merge-a .cm-changedText': {
    background: 'none',
    textDecoration: 'line-through',
    textDecorationColor: 'var(--contradiction)',
    color: 'var(--contradiction)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    textDecoration: 'underline',
    textDecorationColor: 'var(--verified)',
    color: 'var(--verified)',
  },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--text-faint)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-xs)',
  },
  // Few fonts have the base theme's character.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
})
