import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Returns a wavy underline in a token's color; the base theme's is an image with fixed colors. */
function squiggle(colour: string) {
  return {
    backgroundImage: 'none',
    textDecoration: `underline wavy ${colour} 1px`,
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  }
}

/** All colors are the page's tokens, so that one theme serves light and dark. */
const look = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-s)', color: 'var(--text)', backgroundColor: 'var(--raised)' },
  // Its box shows the focus, because the gutter would cover an outline here.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', overscrollBehavior: 'contain' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'light-dark(#cfe0fc, #29457a)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-faint)',
    border: 'none',
    borderRight: '1px solid var(--hairline)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 4px', minWidth: '26px' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', cursor: 'pointer' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '4px 2px' },
  '.cm-lint-marker': {
    width: '10px',
    height: '10px',
    borderRadius: '50%',
    content: 'normal !important',
    backgroundColor: 'var(--warning)',
  },
  '.cm-lint-marker-error': { borderRadius: '2px', backgroundColor: 'var(--lockdown)' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
  '.cm-foldPlaceholder': {
    padding: '0 6px',
    border: '1px solid var(--hairline)',
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-faint)',
  },
  '.cm-lintRange-error': squiggle('var(--lockdown)'),
  '.cm-lintRange-warning': squiggle('var(--warning)'),
  '.cm-lintPoint:after': { borderBottomColor: 'var(--warning)' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--lockdown)' },
  '.cm-tooltip': {
    border: '1px solid var(--hairline)',
    borderRadius: 'var(--radius-s)',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': {
    maxWidth: '420px',
    padding: '6px 10px',
    borderLeft: '3px solid var(--warning)',
    fontFamily: 'var(--font)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--lockdown)' },
  '.cm-diagnosticAction': {
    margin: '6px 8px 2px 0',
    padding: '3px 8px',
    border: '1px solid var(--hairline-strong)',
    borderRadius: 'var(--radius-xs)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    cursor: 'pointer',
  },
  '.cm-tooltip-autocomplete > ul': { maxHeight: '16em', fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--pressed)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { marginLeft: '10px', color: 'var(--text-faint)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { fontWeight: '600', textDecoration: 'none' },
  '.cm-completionInfo': { maxWidth: '320px', padding: '6px 10px', fontFamily: 'var(--font)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)', borderColor: 'var(--hairline)' },
  '.cm-panel.cm-search': { padding: '6px 8px', fontFamily: 'var(--font)' },
  '.cm-textfield': {
    padding: '3px 6px',
    border: '1px solid var(--hairline-strong)',
    borderRadius: 'var(--radius-xs)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-button': {
    border: '1px solid var(--hairline-strong)',
    borderRadius: 'var(--radius-xs)',
    backgroundImage: 'none',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-wash)', outline: '1px solid var(--warning)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--pressed)',
    color: 'inherit',
  },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--pressed)', color: 'var(--text)' },
  '.cm-panel.cm-panel-lint ul:focus [aria-selected]': {
    backgroundColor: 'var(--pressed)',
    color: 'var(--text)',
  },
  // Parts of a task line; see `highlight.ts`.
  '.cm-task-id': { color: 'var(--text)', fontWeight: '600' },
  '.cm-task-checked': { color: 'var(--verified)' },
  '.cm-task-bar': { color: 'var(--text-faint)' },
  '.cm-task-word': { color: 'var(--environment)' },
  '.cm-hint': { color: 'var(--good)' },
  '.cm-hint-words': { color: 'var(--text-quiet)', fontStyle: 'italic' },
  '.cm-hint-string': { color: 'var(--tightened)' },
  '.cm-hint-call': { color: 'var(--environment)' },
  '.cm-hint-probe': { color: 'var(--good)', fontWeight: '600' },
  '.cm-hint-operator': { color: 'var(--text-quiet)' },
})

const words = HighlightStyle.define([
  { tag: [tags.heading1, tags.heading2, tags.heading3], fontWeight: '700' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.monospace, tags.labelName], color: 'var(--tightened)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--text-faint)' },
  { tag: [tags.link, tags.url], color: 'var(--environment)' },
  { tag: tags.quote, color: 'var(--text-quiet)' },
])

export const contractTheme: Extension = [look, syntaxHighlighting(words)]
