import {
  type Diagnostic as EditorDiagnostic,
  linter,
  lintGutter,
  setDiagnosticsEffect,
} from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Diagnostic } from '../../../../../core/contract/types.ts'
import { type QuickFix, quickFixes } from '../problems/quick-fixes.ts'
import { changeTo, sourceOf } from '../text/line-endings.ts'
import { documentPosition, hintWorldOf, type ParsedContract, setParsed } from './parsed-contract.ts'

/** More marks would not help and would slow the editor down; the list of problems shows all of them. */
const MAX_MARKS = 1000

/** Adds the diagnostics of each parse to its transaction. */
const diagnosticsOfParse = EditorState.transactionExtender.of(({ effects, startState }) => {
  const parsed = effects.findLast((effect) => effect.is(setParsed))
  if (parsed === undefined) return null
  const probeNames = hintWorldOf(startState).probes.map(({ name }) => name)
  const { contract } = parsed.value
  const shown = contract.diagnostics.slice(0, MAX_MARKS)
  return {
    effects: setDiagnosticsEffect.of(
      shown.map((diagnostic) =>
        markOf(diagnostic, parsed.value, () => quickFixes(diagnostic, contract, probeNames)),
      ),
    ),
  }
})

function markOf(
  diagnostic: Diagnostic,
  { doc }: ParsedContract,
  fixes: () => readonly QuickFix[],
): EditorDiagnostic {
  const { severity, message, range } = diagnostic
  return {
    from: documentPosition(doc, range.start),
    to: documentPosition(doc, range.end),
    severity,
    message,
    // Computed on demand, because every keystroke parses and there may be a thousand problems.
    get actions() {
      return fixes().map((fix) => ({ name: fix.name, apply: (view: EditorView) => void applyFix(view, fix) }))
    },
  }
}

/** Applies the fix as one change that can be undone; selects the text that the user probably wants to replace. */
export function applyFix(view: EditorView, fix: QuickFix): boolean {
  const { state } = view
  const source = fix.apply(sourceOf(state))
  if (source === null) return false
  const transaction = state.update({ ...changeTo(state, source), userEvent: 'input.fix' })
  view.dispatch(transaction)
  if (fix.select !== undefined) selectChanged(view, transaction.changes, fix.select)
  return true
}

function selectChanged(view: EditorView, changes: ReturnType<EditorState['changes']>, words: string): void {
  changes.iterChangedRanges((_fromA, _toA, fromB) => {
    const { from, to } = view.state.doc.lineAt(fromB)
    const at = view.state.doc.sliceString(Math.min(fromB, to), to + 200).indexOf(words)
    const anchor = at < 0 ? from : Math.min(fromB, to) + at
    view.dispatch({
      selection: at < 0 ? { anchor } : { anchor, head: anchor + words.length },
      scrollIntoView: true,
    })
  })
}

/** Shows what the parser finds: as squiggles, in the gutter, and on hovering. The editor runs no other linter. */
export const showDiagnostics: Extension = [linter(null), lintGutter(), diagnosticsOfParse]
