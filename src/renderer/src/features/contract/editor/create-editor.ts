import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldKeymap, indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, type StateEffect } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { startDocument } from '../text/line-endings.ts'
import { complete } from './completion.ts'
import { showDiagnostics } from './diagnostics.ts'
import { foldContract } from './folding.ts'
import { highlightTasks } from './highlight.ts'
import {
  type HintWorld,
  type ParsedContract,
  parseAlong,
  parsedContract,
  startWorld,
} from './parsed-contract.ts'
import { contractTheme } from './theme.ts'

export interface EditorOptions {
  readonly source: string
  readonly world: HintWorld
  readonly isReadOnly: boolean
  readonly onParsed: (parsed: ParsedContract) => void
  readonly extensions: Extension
  /** False only for the benchmark: the same editor without checking. */
  readonly lint?: boolean
}

const readOnly = new Compartment()

export function setReadOnly(isReadOnly: boolean): StateEffect<unknown> {
  return readOnly.reconfigure(EditorState.readOnly.of(isReadOnly))
}

/** Returns the initial state of a contract editor for the text of the file. */
export function createEditorState(options: EditorOptions): EditorState {
  const { doc, extensions } = startDocument(options.source)
  return EditorState.create({
    doc,
    extensions: [
      extensions,
      startWorld(options.world),
      parsedContract,
      readOnly.of(EditorState.readOnly.of(options.isReadOnly)),
      ...(options.lint === false ? [] : [showDiagnostics, parseAlong(options.onParsed)]),
      options.extensions,
      commonExtensions,
    ],
  })
}

const commonExtensions: Extension = [
  history(),
  lineNumbers(),
  foldContract,
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  drawSelection(),
  dropCursor(),
  bracketMatching(),
  closeBrackets(),
  highlightTasks,
  highlightSelectionMatches(),
  complete,
  indentUnit.of('  '),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'Text of HEARTBEAT.md',
    spellcheck: 'false',
    tabindex: '0',
  }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...searchKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  contractTheme,
]
