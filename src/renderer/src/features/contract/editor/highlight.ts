import { type Extension, type Range, RangeSetBuilder, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { TaskDefinition, TaskField } from '../../../../../core/contract/types.ts'
import { hintTokens } from './hint-tokens.ts'
import { documentPosition, hintWorldOf, parsedOf, setParsed } from './parsed-contract.ts'

const marks = Object.fromEntries(
  [
    'task-id',
    'task-checked',
    'task-word',
    'hint',
    'hint-words',
    'hint-string',
    'hint-call',
    'hint-probe',
    'hint-operator',
  ].map((name) => [name, Decoration.mark({ class: `cm-${name}` })]),
)

/** Highlights what the parser found in the visible task lines. Between two parses the highlights move with the text. */
export const highlightTasks: Extension = ViewPlugin.define(
  (view) => {
    const plugin = {
      decorations: decorate(view),
      update: ({ docChanged, viewportChanged, changes, transactions, view: now }: ViewUpdate) => {
        const isParsed = transactions.some(({ effects }) => effects.some((effect) => effect.is(setParsed)))
        const isCurrent = parsedOf(now.state).doc === now.state.doc
        if (isCurrent && (isParsed || viewportChanged)) plugin.decorations = decorate(now)
        else if (docChanged) plugin.decorations = plugin.decorations.map(changes)
      },
    }
    return plugin
  },
  { decorations: (plugin) => plugin.decorations },
)

function decorate(view: EditorView): DecorationSet {
  const { doc, contract } = parsedOf(view.state)
  const probeNames = new Set(hintWorldOf(view.state).probes.map(({ name }) => name))
  const found: Range<Decoration>[] = []
  for (const { from, to } of view.visibleRanges) {
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number]
    for (const task of contract.tasks) {
      if (task.line >= first && task.line <= last) found.push(...taskMarks(doc, task, probeNames))
    }
  }
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to, value } of found.toSorted((one, other) => one.from - other.from))
    builder.add(from, to, value)
  return builder.finish()
}

function taskMarks(
  doc: Text,
  task: TaskDefinition,
  probeNames: ReadonlySet<string>,
): readonly Range<Decoration>[] {
  return task.fields.flatMap((field) => {
    const from = documentPosition(doc, field.range.start)
    const text = doc.sliceString(from, documentPosition(doc, field.range.end))
    if (text === '') return []
    if (field.kind === 'verify') return hintMarks(from, text, probeNames)
    const name = classOf(field, task)
    const mark = name === null ? undefined : marks[name]
    return mark === undefined ? [] : [mark.range(from, from + text.length)]
  })
}

function classOf({ kind }: TaskField, task: TaskDefinition): string | null {
  if (kind === 'id') return task.checked ? 'task-checked' : 'task-id'
  return kind === 'required' || kind === 'max-attempts' ? 'task-word' : null
}

function hintMarks(
  from: number,
  text: string,
  probeNames: ReadonlySet<string>,
): readonly Range<Decoration>[] {
  const prefix = /^verify\s*:\s*/i.exec(text)?.[0].length ?? 0
  const start = from + prefix
  const tokens = hintTokens(text.slice(prefix), probeNames).flatMap(({ from: first, to, kind }) => {
    const mark = marks[`hint-${kind}`]
    return mark === undefined ? [] : [mark.range(start + first, start + to)]
  })
  const word = prefix === 0 ? undefined : marks['task-word']?.range(from, from + 'verify:'.length)
  return word === undefined ? tokens : [word, ...tokens]
}
