import { history, redo, undo } from '@codemirror/commands'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit, type ContractEdit } from '../../../../../core/contract/edit.ts'
import { parseContract } from '../../../../../core/contract/parse.ts'
import { changeTo, sourceOf, startDocument } from './line-endings.ts'
import { joinText, splitText } from './source-text.ts'
import { mergeTexts } from './three-way.ts'

const lineBreak = fc.constantFrom('\n', '\r\n', '\r')
const line = fc.constantFrom(
  '',
  'a',
  '- [ ] one | One | required',
  '  - [x] deep',
  '## Tasks',
  'ü🦊\0',
  '# B',
)
const textWith = (breaks: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('', '\uFEFF'),
      fc.array(fc.tuple(line, breaks), { maxLength: 10 }),
      fc.constantFrom('', 'end'),
    )
    .map(([mark, lines, end]) => mark + lines.map((parts) => parts.join('')).join('') + end)

const text = textWith(lineBreak)
/** Excludes a lone carriage return among other breaks: before an emptied line it would merge with what follows. */
const plainText = fc.oneof(textWith(fc.constantFrom('\n', '\r\n')), textWith(fc.constant('\r')))

function stateOf(source: string): EditorState {
  const { doc, extensions } = startDocument(source)
  return EditorState.create({ doc, extensions: [extensions, history({ newGroupDelay: 0 })] })
}

function run(
  state: EditorState,
  command: (target: { state: EditorState; dispatch: (tr: { state: EditorState }) => void }) => boolean,
): EditorState {
  let result = state
  command({ state, dispatch: (transaction) => (result = transaction.state) })
  return result
}

describe('a text in an editor', () => {
  it('is the same text, byte for byte, if nothing is changed', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(joinText(splitText(source))).toBe(source)
        expect(sourceOf(stateOf(source))).toBe(source)
      }),
      { seed: 20261121, numRuns: 1000 },
    )
  })

  const anyChange = fc.record({
    from: fc.nat({ max: 60 }),
    length: fc.nat({ max: 20 }),
    insert: fc.constantFrom('', 'x', '\n', 'y\nz', '\n\n\n'),
  })

  it('keeps every untouched line, whatever is typed, and everything when that is undone', () => {
    fc.assert(
      fc.property(plainText, fc.array(anyChange, { minLength: 1, maxLength: 6 }), (source, changes) => {
        let state = stateOf(source)
        for (const { from, length, insert } of changes) {
          const start = Math.min(from, state.doc.length)
          const end = Math.min(start + length, state.doc.length)
          const before = sourceOf(state)
          const first = state.doc.lineAt(start).number - 1
          const behind = state.doc.lines - state.doc.lineAt(end).number
          state = state.update({ changes: { from: start, to: end, insert }, userEvent: 'input' }).state
          const [old, now] = [before, sourceOf(state)].map((each) =>
            `${each}|`.split(/(?<=\n)|(?<=\r)(?!\n)/),
          )
          expect(now?.slice(0, first)).toEqual(old?.slice(0, first))
          if (behind > 0) expect(now?.slice(-behind)).toEqual(old?.slice(-behind))
        }
        const typed = sourceOf(state)
        for (const _ of changes) state = run(state, undo)
        expect(sourceOf(state)).toBe(source)
        for (const _ of changes) state = run(state, redo)
        expect(sourceOf(state)).toBe(typed)
      }),
      { seed: 20261121, numRuns: 1000 },
    )
  })

  it('keeps its lines whatever is typed between line breaks of all kinds', () => {
    fc.assert(
      fc.property(text, fc.array(anyChange, { maxLength: 6 }), (source, changes) => {
        let state = stateOf(source)
        for (const { from, length, insert } of changes) {
          const start = Math.min(from, state.doc.length)
          const end = Math.min(start + length, state.doc.length)
          state = state.update({ changes: { from: start, to: end, insert } }).state
        }
        expect(splitText(sourceOf(state)).text).toBe(state.doc.toString())
      }),
      { seed: 20261121, numRuns: 1000 },
    )
  })

  it('becomes any other text, byte for byte, and changes back', () => {
    fc.assert(
      fc.property(text, text, (source, other) => {
        const state = stateOf(source)
        const changed = state.update(changeTo(state, other)).state
        expect(sourceOf(changed)).toBe(other)
        if (source !== other) expect(sourceOf(run(changed, undo))).toBe(source)
      }),
      { seed: 20261121, numRuns: 1000 },
    )
  })

  it("gets a new line break's kind from its neighbors", () => {
    const state = stateOf('a\r\nb')
    const typed = (spec: TransactionSpec) => sourceOf(state.update(spec).state)
    expect(typed({ changes: { from: 1, insert: '\n' } })).toBe('a\r\n\r\nb')
    expect(typed({ changes: { from: 3, insert: '\nc' } })).toBe('a\r\nb\r\nc')
    const only = stateOf('a')
    expect(sourceOf(only.update({ changes: { from: 1, insert: '\n' } }).state)).toBe('a\n')
  })
})

describe("the form's edits", () => {
  const anyEdit: fc.Arbitrary<ContractEdit> = fc.oneof(
    fc.record({ kind: fc.constant('toggle' as const), task: fc.nat({ max: 3 }) }),
    fc.record({ kind: fc.constant('remove' as const), task: fc.nat({ max: 3 }) }),
    fc.record({ kind: fc.constant('move' as const), task: fc.nat({ max: 3 }), to: fc.nat({ max: 3 }) }),
    fc.constant({ kind: 'add' as const, task: { id: 'new', description: 'New | one' } }),
    fc.record({
      kind: fc.constant('set' as const),
      task: fc.nat({ max: 3 }),
      change: fc.constant({ field: 'verify' as const, value: 'a || b' }),
    }),
  )

  it('reach the text through the editor exactly as core writes them, and are undone completely', () => {
    let made = 0
    fc.assert(
      fc.property(text, fc.array(anyEdit, { maxLength: 6 }), (source, edits) => {
        let state = stateOf(source)
        let count = 0
        for (const edit of edits) {
          const result = applyEdit(sourceOf(state), edit)
          if (!result.ok || result.text === sourceOf(state)) continue
          state = state.update({ ...changeTo(state, result.text), userEvent: 'input' }).state
          expect(sourceOf(state)).toBe(result.text)
          count++
        }
        for (let index = 0; index < count; index++) state = run(state, undo)
        expect(sourceOf(state)).toBe(source)
        made += count
      }),
      { seed: 20261121, numRuns: 600 },
    )
    expect(made).toBeGreaterThan(200)
  })

  it('change the document only where the edit is', () => {
    const source = '## Tasks\r\n- [ ] a | A\r\n- [ ] b | B\r\n'
    const state = stateOf(source)
    const result = applyEdit(source, { kind: 'toggle', task: 1 })
    const { changes } = state.update(changeTo(state, result.ok ? result.text : ''))
    const touched: [number, number][] = []
    changes.iterChangedRanges((from, to) => touched.push([from, to]))
    const box = state.doc.toString().lastIndexOf('[ ]') + 1
    expect(touched).toEqual([[box, box + 1]])
    expect(parseContract(source).tasks[1]?.checked).toBe(false)
  })
})

describe('a merge of two changes', () => {
  const base = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n'
  it.each<[string, string, string, string]>([
    ['both changes', base.replace('one', 'ONE'), base.replace('five', 'FIVE'), 'ONE two three four FIVE'],
    ['the same change once', base.replace('two', '2'), base.replace('two', '2'), 'one 2 three four five'],
    ['an added and a removed line', `${base}six\r\n`, base.replace('two\r\n', ''), 'one three four five six'],
    ['one side’s change', base, base.replace('two', '2'), 'one 2 three four five'],
  ])('has %s', (_name, mine, theirs, words) => {
    expect(mergeTexts(base, mine, theirs)).toEqual({
      clean: true,
      text: words
        .split(' ')
        .map((word) => `${word}\r\n`)
        .join(''),
    })
  })

  it.each([
    ['the same line', base.replace('two', '2'), base.replace('two', 'II')],
    ['adjacent lines', base.replace('two', '2'), base.replace('three', '3')],
    ['the same place by adding lines', base.replace('two', 'two\r\nx'), base.replace('two', 'two\r\ny')],
  ])('is not clean if both changed %s', (_name, mine, theirs) => {
    expect(mergeTexts(base, mine, theirs)).toEqual({ clean: false })
  })

  it('equals the other side if one side changed nothing, for all texts', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(mergeTexts(one, one, other)).toEqual({ clean: true, text: other })
        expect(mergeTexts(one, other, one)).toEqual({ clean: true, text: other })
      }),
      { seed: 20261121, numRuns: 1000 },
    )
  })
})
