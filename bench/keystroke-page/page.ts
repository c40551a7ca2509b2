import { EditorView } from '@codemirror/view'
import { createEditorState } from '../../src/renderer/src/features/contract/editor/create-editor.ts'

/** Milliseconds from a key press to the end of the frame that showed its effect. */
export interface Keystroke {
  readonly character: number
  /** `null` if the editor has no linter. */
  readonly diagnostics: number | null
}

declare global {
  interface Window {
    /** Shows the real editor with a contract, the cursor at the end of the task line in its middle. */
    mount(source: string, line: number, lint: boolean): void
    /** Measures the next key press; `wrong` says whether it makes an error or fixes it. */
    next(wrong: boolean): Promise<Keystroke>
  }
}

let view: EditorView | null = null
let isLinted = false
let expected: {
  readonly wrong: boolean
  readonly resolve: (keystroke: Keystroke) => void
  pressedMs: number | null
  character: number | null
} | null = null

window.mount = (source, line, lint) => {
  view?.destroy()
  isLinted = lint
  const state = createEditorState({
    source,
    world: {
      probes: [{ name: 'email_count', source: 'count', parse: 'number' }],
      approvedCommands: [],
    },
    isReadOnly: false,
    onParsed: () => {},
    extensions: [],
    lint,
  })
  const parent = document.getElementById('editor')
  if (parent === null) throw new Error('The page has no box for the editor')
  view = new EditorView({ state, parent })
  const anchor = view.state.doc.line(line).to
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}

window.next = (wrong) =>
  new Promise((resolve) => {
    expected = { wrong, resolve, pressedMs: null, character: null }
  })

addEventListener(
  'keydown',
  (event) => {
    if (expected !== null) expected.pressedMs = event.timeStamp
  },
  { capture: true },
)

// A message posted while a frame is being made is answered once that frame is done, so the document's state then has been
// painted.
const frames = new MessageChannel()
frames.port1.onmessage = () => {
  if (expected !== null && expected.pressedMs !== null && view !== null) look(view, expected.pressedMs)
}
requestAnimationFrame(function frame() {
  frames.port2.postMessage(null)
  requestAnimationFrame(frame)
})

function look({ contentDOM }: EditorView, pressedMs: number): void {
  if (expected === null) return
  const elapsed = performance.now() - pressedMs
  const isWrong = contentDOM.querySelector('.cm-activeLine')?.textContent.endsWith('x') ?? false
  if (isWrong !== expected.wrong) return
  expected.character ??= elapsed
  const isMarked = contentDOM.querySelector('.cm-lintRange-error') !== null
  if (isLinted && isMarked !== expected.wrong) return
  const { resolve, character } = expected
  expected = null
  resolve({ character, diagnostics: isLinted ? elapsed : null })
}
