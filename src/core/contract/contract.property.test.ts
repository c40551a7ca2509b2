import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit, type ContractEdit } from './edit.ts'
import { parseHint } from './hint.ts'
import { parseContract, slugify } from './parse.ts'

/** Pieces that make or break a contract's structure when combined at random. */
const FRAGMENTS = [
  '## Tasks',
  '# A',
  '## B',
  '### C',
  'Tasks',
  '---',
  '===',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '- [ ] ',
  '- [x] ',
  '[ ] ',
  '-[ ] ',
  '• [x] ',
  '  ',
  '    ',
  '\t',
  '> ',
  '```',
  '~~~',
  '<!--',
  '-->',
  '<div>',
  '|',
  '||',
  '\\|',
  '\\',
  '`',
  '``',
  'a',
  'b c',
  'verify: ',
  'max_attempts: ',
  'may_change: ',
  'files: never',
  'when: ',
  'model: ',
  '0',
  '2',
  'required',
  'OPTIONAL',
  'task_completed',
  'n > 0',
  'exists("x")',
  '\n',
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\uFEFF',
  '\0',
  '\uD800',
  '\u2028',
  '[x]: y',
  '***',
  '&lt;',
  '(',
  ')',
  '"',
] // prettier-ignore
const composition = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((parts) => parts.join(''))
const anyText = fc.oneof(
  composition,
  composition.map((text) => `## Tasks\n${text}`),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new TextDecoder('utf-8').decode(bytes)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => new TextDecoder('latin1').decode(bytes)),
)

/** A value as a person might type it into a form. Backticks come in pairs unless requested otherwise. */
const VALUE_PARTS = [
  'a',
  'Word',
  ' ',
  '|',
  '||',
  '\\',
  '\\|',
  'ü',
  '🦊',
  'required',
  'verify:',
  '#',
  '- [ ]',
  '<!--',
  '"',
  '\0',
]
const value = fc.array(fc.constantFrom(...VALUE_PARTS), { maxLength: 8 }).map((parts) => parts.join(''))
const idValue = value.filter((text) => slugify(text) !== '')
const wildValue = fc
  .array(fc.constantFrom(...VALUE_PARTS, '`', '`', '``', '`x|y`'), { maxLength: 8 })
  .map((parts) => parts.join(''))

interface TaskModel {
  readonly id: string
  readonly description: string
  readonly required: boolean
  readonly verify: string
  readonly maxAttempts: number
  readonly mayChange: readonly string[]
  readonly writesNoFiles: boolean
  readonly when: string | null
  readonly model: string | null
  readonly checked: boolean
  readonly criteria: readonly string[]
}

/** A task and the lines that it is written as. */
interface WrittenTask {
  readonly model: TaskModel
  readonly lines: readonly string[]
}

/** Pieces of a line and what they parse to. */
const TEXTS = [
  ['Do it', 'Do it'],
  ['a \\| b', 'a | b'],
  ['see `x|y`', 'see `x|y`'],
  ['or || and', 'or || and'],
  ['optional', 'optional'],
] as const
const HINTS = [
  ['', 'task_completed'],
  ['| n > 0', 'n > 0'],
  ['| verify: `n > 0 || m`', 'n > 0 || m'],
  ['|verify:x=="\\|"', 'x=="|"'],
] as const
const REQUIRED = [
  ['', true],
  ['| Required', true],
  ['|optional', false],
] as const
const ATTEMPTS = [
  ['', 3],
  ['| max_attempts: 5', 5],
] as const

const MAY_CHANGE = [
  ['', []],
  ['| may_change: `a|b/**`', ['a|b/**']],
  ['| May_Change: *.test.js | files: never | may_change: docs', ['*.test.js', 'docs']],
] as const

const writtenTask: fc.Arbitrary<WrittenTask> = fc
  .record({
    marker: fc.constantFrom('- [ ]', '* [x]', '+ [X]', '-  [ ]'),
    id: fc.constantFrom('a', 'b', 'My Task', 'x-1', 'c'),
    description: fc.constantFrom(...TEXTS),
    fields: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    required: fc.constantFrom(...REQUIRED),
    hint: fc.constantFrom(...HINTS),
    attempts: fc.constantFrom(...ATTEMPTS),
    globs: fc.constantFrom(...MAY_CHANGE),
    end: fc.constantFrom('', ' ', ' |'),
    below: fc.subarray(
      [
        '     more | text',
        '',
        '     ```',
        '     - [ ] code',
        '     ```',
        '',
        '     - crit',
        '     - [x] checked',
      ]
        .map((line, at) => [at, line] as const)
        .slice(0, 1),
    ),
    criteria: fc.subarray(['one', 'two | three', '`four`']),
    loose: fc.boolean(),
  })
  .map(
    ({ marker, id, description, fields, required, hint, attempts, globs, end, below, criteria, loose }) => {
      const options = fields
        .map((at) => [required[0], hint[0], attempts[0], globs[0]][at])
        .filter((text) => text !== '')
      const first = `${marker} ${[`${id} | ${description[0]}`, ...options].join(' ')}${end}`
      const further = [
        ...below.map(([, line]) => line),
        ...(loose ? [''] : []),
        ...criteria.map((text) => `     - ${text}`),
      ]
      return {
        lines: [first, ...(criteria.length > 0 ? further : below.map(([, line]) => line))],
        model: {
          id: slugify(id),
          description: description[1],
          required: required[1],
          verify: hint[1],
          maxAttempts: attempts[1],
          mayChange: globs[1],
          writesNoFiles: globs[0].includes('files: never'),
          when: null,
          model: null,
          checked: !marker.includes('[ ]'),
          criteria,
        },
      }
    },
  )

const BEFORE = [
  '',
  '# Title\n\nSome *context*.\n\n',
  '```\n## Tasks\n- [ ] no\n```\n',
  '<!--\n## Tasks\n-->\n\n',
  '- [ ] out\n\n',
]
const BETWEEN = ['', '\n', '\n<!--\n- [ ] no\n-->\n', '\n```\n- [ ] no\n```\n', '\n### Part\n\nprose\n\n']
const AFTER = ['', '\n', '\n# End\n\n- [ ] out\n', '\nEnd\n---\n```\nopen']

interface GeneratedContract {
  readonly text: string
  readonly tasks: readonly WrittenTask[]
}

const generated: fc.Arbitrary<GeneratedContract> = fc
  .record({
    bom: fc.boolean(),
    before: fc.constantFrom(...BEFORE),
    tasks: fc.array(fc.tuple(writtenTask, fc.constantFrom(...BETWEEN)), { minLength: 1, maxLength: 5 }),
    after: fc.constantFrom(...AFTER),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    finalBreak: fc.boolean(),
  })
  .map(({ bom, before, tasks, after, lineBreak, finalBreak }) => {
    const list = tasks.map(([task, between]) => `${task.lines.join('\n')}\n${between}`).join('')
    const text = `${bom ? '\uFEFF' : ''}${before}## Tasks\n\n${list}${after}`
    const broken = finalBreak ? text : text.replace(/\n+$/, '')
    return { text: broken.replaceAll('\n', lineBreak), tasks: tasks.map(([task]) => task) }
  })

function shown(text: string): TaskModel[] {
  return parseContract(text).tasks.map(({ criteria, line, range, itemRange, fields, ...task }) => ({
    ...task,
    criteria: criteria.map((criterion) => criterion.text),
  }))
}

/** Returns the lines with their line breaks; joined, they give the text again. */
const linesOf = (text: string) => text.split(/(?<=\n)/)
/** Returns the content of each line. The last one is empty if the text ends with a line break. */
const contentsOf = (text: string) => text.split(/\r?\n/)

function edited(text: string, edit: ContractEdit): string {
  const result = applyEdit(text, edit)
  if (!result.ok) throw new Error(`${JSON.stringify(edit)} refused: ${result.reason}`)
  return result.text
}

describe('parseContract', () => {
  it('accepts any text, with ranges inside it and diagnostics in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const contract = parseContract(text, { probeNames: ['n'] })
        const ranges = [
          ...contract.diagnostics.map(({ range }) => range),
          ...contract.tasks.flatMap(({ range, itemRange, fields }) => [
            range,
            itemRange,
            ...fields.map((field) => field.range),
          ]),
        ]
        for (const { start, end } of ranges) {
          expect(start.offset).toBeLessThanOrEqual(end.offset)
          expect(end.offset).toBeLessThanOrEqual(text.length)
          const before = text.slice(0, start.offset).split(/\r\n|\r|\n/)
          expect(start.line).toBe(before.length)
          expect(start.column).toBe(
            (before.at(-1)?.replace(/^\uFEFF/, before.length === 1 ? '' : '$&').length ?? 0) + 1,
          )
        }
        const offsets = contract.diagnostics.map(({ range }) => range.start.offset)
        expect(offsets).toEqual(offsets.toSorted((one, other) => one - other))
        for (const { range } of contract.tasks) {
          expect(text.slice(range.start.offset, range.end.offset)).toMatch(/^[-*+][ \t]+\[[ xX]\][^\r\n]*$/)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('parses what was written', () => {
    fc.assert(
      fc.property(generated, ({ text, tasks }) => {
        expect(shown(text)).toEqual(tasks.map(({ model }) => model))
      }),
      { numRuns: 500 },
    )
  })
})

describe('parseHint', () => {
  it('accepts any text', () => {
    const hint = fc.oneof(
      composition,
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', '.', '(', ')', ' ', '>', '-', '"', '[', '1', ',', '?', ':'))
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(hint, (source) => {
        expect(parseHint(source, ['a']).source).toBe(source)
      }),
      { numRuns: 2_000 },
    )
  })
})

const pickIndex = fc.nat({ max: 4 })

describe('applyEdit', () => {
  it('accepts any text and edit, and never produces a text that parses to anything but the edit', () => {
    const anyEdit = fc.oneof(
      fc.record({ kind: fc.constant('remove' as const), task: pickIndex }),
      fc.record({ kind: fc.constant('toggle' as const), task: pickIndex }),
      fc.record({ kind: fc.constant('move' as const), task: pickIndex, to: pickIndex }),
      fc.record({
        kind: fc.constant('add' as const),
        task: fc.record({ id: wildValue, description: wildValue }),
      }),
    )
    fc.assert(
      fc.property(anyText, anyEdit, (text, edit) => {
        const before = shown(text)
        const result = applyEdit(text, edit)
        if (!result.ok) {
          expect(result.reason).toMatch(/^[A-Z].*\.$/)
          return
        }
        const after = shown(result.text)
        if (edit.kind === 'toggle') {
          expect(after).toEqual(
            before.map((task, at) => (at === edit.task ? { ...task, checked: !task.checked } : task)),
          )
        } else if (edit.kind === 'add') {
          expect(after.slice(0, -1)).toEqual(before)
          expect(after.at(-1)?.description).toBe(edit.task.description.trim())
        } else {
          const rest = before.toSpliced(edit.task, 1)
          const moved = edit.kind === 'move' ? before.slice(edit.task, edit.task + 1) : []
          expect(after).toEqual(edit.kind === 'move' ? rest.toSpliced(edit.to, 0, ...moved) : rest)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('sets a field on one line and changes no other byte', () => {
    const change = fc.oneof(
      fc.record({ field: fc.constant('id' as const), value: idValue }),
      fc.record({ field: fc.constant('description' as const), value }),
      fc.record({ field: fc.constant('verify' as const), value: fc.option(value) }),
      fc.record({ field: fc.constant('required' as const), value: fc.option(fc.boolean()) }),
      fc.record({
        field: fc.constant('maxAttempts' as const),
        value: fc.option(fc.integer({ min: 1, max: 99 })),
      }),
      fc.record({
        field: fc.constant('mayChange' as const),
        value: fc.option(fc.subarray(['a|b/**', '*.test.js', 'c d', 'e'])),
      }),
    )
    const defaults = {
      id: '',
      description: '',
      verify: 'task_completed',
      required: true,
      maxAttempts: 3,
      mayChange: [],
    }
    fc.assert(
      fc.property(generated, pickIndex, change, ({ text, tasks }, pick, fieldChange) => {
        const task = pick % tasks.length
        const result = edited(text, { kind: 'set', task, change: fieldChange })
        const { field } = fieldChange
        const trimmed = typeof fieldChange.value === 'string' ? fieldChange.value.trim() : fieldChange.value
        const meant =
          field === 'id' ? slugify(fieldChange.value) : field === 'description' ? trimmed : trimmed || null
        expect(shown(result)).toEqual(
          tasks.map(({ model }, at) =>
            at === task
              ? { ...model, [field]: meant ?? (fieldChange.value === false ? false : defaults[field]) }
              : model,
          ),
        )
        const line = (parseContract(text).tasks[task]?.line ?? 0) - 1
        expect(linesOf(result).toSpliced(line, 1)).toEqual(linesOf(text).toSpliced(line, 1))
        expect(linesOf(result)[line]?.endsWith('\r\n')).toBe(linesOf(text)[line]?.endsWith('\r\n'))
      }),
      { numRuns: 1_000 },
    )
  })

  it('writes a value with backticks verbatim or refuses it', () => {
    fc.assert(
      fc.property(
        generated,
        pickIndex,
        fc.constantFrom('description', 'verify'),
        wildValue,
        ({ text, tasks }, pick, field, wild) => {
          const task = pick % tasks.length
          const result = applyEdit(text, { kind: 'set', task, change: { field, value: wild } as never })
          if (!result.ok) {
            expect(wild).toContain('`')
            return
          }
          const meant = wild.trim() === '' && field === 'verify' ? 'task_completed' : wild.trim()
          expect(shown(result.text)[task]).toEqual({ ...tasks[task]?.model, [field]: meant })
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('toggles one character', () => {
    fc.assert(
      fc.property(generated, pickIndex, ({ text, tasks }, pick) => {
        const task = pick % tasks.length
        const result = edited(text, { kind: 'toggle', task })
        const different = [...text].flatMap((character, at) => (character === [...result][at] ? [] : [at]))
        expect([result.length, different.length]).toEqual([text.length, 1])
        expect(shown(result).map(({ checked }) => checked)).toEqual(
          tasks.map(({ model }, at) => (at === task ? !model.checked : model.checked)),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('removes only the lines of the task', () => {
    fc.assert(
      fc.property(generated, pickIndex, ({ text, tasks }, pick) => {
        const task = pick % tasks.length
        const result = edited(text, { kind: 'remove', task })
        expect(shown(result)).toEqual(tasks.toSpliced(task, 1).map(({ model }) => model))
        const first = (parseContract(text).tasks[task]?.line ?? 0) - 1
        expect(contentsOf(result)).toEqual(contentsOf(text).toSpliced(first, tasks[task]?.lines.length ?? 0))
      }),
      { numRuns: 500 },
    )
  })

  it('moves the lines of a task and changes no others', () => {
    fc.assert(
      fc.property(generated, pickIndex, pickIndex, ({ text, tasks }, pick, pickTo) => {
        const [task, to] = [pick % tasks.length, pickTo % tasks.length]
        const result = edited(text, { kind: 'move', task, to })
        const moved = tasks.slice(task, task + 1)
        const expected = tasks.toSpliced(task, 1).toSpliced(to, 0, ...moved)
        expect(shown(result)).toEqual(expected.map(({ model }) => model))
        const cut = (whole: string, index: number) => {
          const first = (parseContract(whole).tasks[index]?.line ?? 0) - 1
          const lines = contentsOf(whole)
          const block = lines.splice(first, moved[0]?.lines.length ?? 0)
          return { block, rest: lines }
        }
        expect(cut(result, to)).toEqual(cut(text, task))
        expect(result.length).toBe(text.length)
      }),
      { numRuns: 500 },
    )
  })

  it('adds one line and changes no others', () => {
    const newTask = fc.record(
      {
        id: idValue,
        description: value,
        required: fc.boolean(),
        verify: value,
        maxAttempts: fc.integer({ min: 1, max: 99 }),
        checked: fc.boolean(),
      },
      { requiredKeys: ['id', 'description'] },
    )
    fc.assert(
      fc.property(
        generated,
        fc.option(pickIndex, { nil: undefined }),
        newTask,
        ({ text, tasks }, pick, task) => {
          const after = pick === undefined ? undefined : pick % tasks.length
          const result = edited(text, { kind: 'add', task, after })
          const index = (after ?? tasks.length - 1) + 1
          const { required = true, verify = '', maxAttempts = 3, checked = false } = task
          const model = {
            id: slugify(task.id),
            description: task.description.trim(),
            required,
            verify: verify.trim() || 'task_completed',
            maxAttempts,
            mayChange: [],
            writesNoFiles: false,
            when: null,
            model: null,
            checked,
            criteria: [],
          }
          expect(shown(result)).toEqual(tasks.map((one) => one.model).toSpliced(index, 0, model))
          const line = (parseContract(result).tasks[index]?.line ?? 0) - 1
          expect(contentsOf(result).toSpliced(line, 1)).toEqual(contentsOf(text))
          expect(/(?<!\r)\n/.test(result)).toBe(/(?<!\r)\n/.test(text))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
