import { invertedEffects } from '@codemirror/commands'
import { diff } from '@codemirror/merge'
import {
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { joinText, type LineEndings, replaceBreaks, splitText } from './source-text.ts'

/*
 * CodeMirror knows only one kind of line break. The file's kinds are stored next to the document and follow its changes, including undo and
 * redo, so that the bytes of untouched lines never change.
 */

const setEndings = StateEffect.define<LineEndings>()

const endingsField = StateField.define<LineEndings>({
  create: ({ doc }) => ({ bom: false, breaks: 'n'.repeat(doc.lines - 1) }),
  update: (endings, transaction) => {
    const set = transaction.effects.findLast((effect) => effect.is(setEndings))
    if (set !== undefined && set.value.breaks.length === transaction.newDoc.lines - 1) return set.value
    return transaction.docChanged ? followChanges(endings, transaction) : endings
  },
})

function followChanges(endings: LineEndings, transaction: Transaction): LineEndings {
  const { doc } = transaction.startState
  let { breaks } = endings
  let shift = 0
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    const from = doc.lineAt(fromA).number - 1
    const removed = doc.lineAt(toA).number - 1 - from
    const added = inserted.lines - 1
    if (removed === 0 && added === 0) return
    breaks = replaceBreaks(breaks, from + shift, removed, added)
    shift += added - removed
  })
  return breaks === endings.breaks ? endings : { ...endings, breaks }
}

/** Stores a text's line endings next to the document; `startDocument` sets them. */
export const keepLineEndings: Extension = [
  endingsField,
  invertedEffects.of((transaction) => {
    const before = transaction.startState.field(endingsField)
    return before === transaction.state.field(endingsField) ? [] : [setEndings.of(before)]
  }),
]

/** Returns the initial editor state for a text. */
export function startDocument(source: string): { readonly doc: string; readonly extensions: Extension } {
  const { text, endings } = splitText(source)
  return { doc: text, extensions: [keepLineEndings, endingsField.init(() => endings)] }
}

/** Returns the text as it would be saved. */
export function sourceOf(state: EditorState): string {
  return joinText({ text: state.doc.toString(), endings: state.field(endingsField) })
}

/** Differences are exact up to this many changed characters in a stretch, and this much time; beyond that, whole stretches are replaced. */
const DIFF_LIMITS = { scanLimit: 500, timeout: 50 }

/** Returns the smallest change from a state's text to another text, so that cursor, folds and marks elsewhere stay. */
export function changeTo(state: EditorState, source: string): TransactionSpec {
  const { text, endings } = splitText(source)
  const changes = diff(state.doc.toString(), text, DIFF_LIMITS).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: text.slice(fromB, toB),
  }))
  return { changes, effects: setEndings.of(endings) }
}
