import {
  codeFolding,
  defineLanguageFacet,
  foldGutter,
  foldService,
  Language,
  syntaxTree,
} from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'
import { parser } from '@lezer/markdown'
import { parsedOf } from './parsed-contract.ts'

/** Markdown as core's parser reads it, for colors and sections. */
const markdown = new Language(
  defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } }),
  parser,
  [],
  'markdown',
)

const HEADING = /^(?:ATX|Setext)Heading(\d)$/

/** A heading can be folded up to the next one of the same or a higher level. */
function foldSection(state: EditorState, lineStart: number, lineEnd: number) {
  const tree = syntaxTree(state)
  const heading = tree.resolve(lineStart, 1)
  let node = heading
  while (node.parent !== null && node.parent.parent !== null) node = node.parent
  const level = Number(HEADING.exec(node.name)?.[1] ?? 0)
  if (level === 0 || node.from < lineStart) return null
  let end = state.doc.length
  for (let next = node.nextSibling; next !== null; next = next.nextSibling) {
    const other = Number(HEADING.exec(next.name)?.[1] ?? 0)
    if (other === 0 || other > level) continue
    end = next.from - 1
    break
  }
  while (end > lineEnd && /\s/.test(state.doc.sliceString(end - 1, end))) end--
  return end > lineEnd ? { from: lineEnd, to: end } : null
}

/** Folds a task together with the lines that belong to it. */
function foldTask(state: EditorState, lineStart: number, lineEnd: number) {
  const { doc, contract } = parsedOf(state)
  if (doc !== state.doc) return null
  const { number } = doc.lineAt(lineStart)
  const task = contract.tasks.find(({ line }) => line === number)
  if (task === undefined) return null
  const to = doc.line(Math.min(task.itemRange.end.line, doc.lines)).to
  return to > lineEnd ? { from: lineEnd, to } : null
}

export const foldContract: Extension = [
  markdown.extension,
  codeFolding(),
  foldService.of(foldSection),
  foldService.of(foldTask),
  foldGutter({ openText: '⌄', closedText: '›' }),
]
