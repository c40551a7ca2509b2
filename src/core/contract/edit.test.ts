import { describe, expect, it } from 'vitest'
import { applyEdit, type ContractEdit, type FieldChange, type NewTask } from './edit.ts'

const LINE = '- [ ] Check Mail | Read \\| it `a|b` | OPTIONAL | email_count > 0 | max_attempts: 2 |'

/** Returns the line after a change, or the reason if it is refused. */
function change(line: string, fieldChange: FieldChange): string {
  const before = '# A\n## Tasks\n'
  const result = applyEdit(`${before}${line}\n\n# B`, { kind: 'set', task: 0, change: fieldChange })
  if (!result.ok) return result.reason
  expect(result.text.startsWith(before) && result.text.endsWith('\n\n# B')).toBe(true)
  return result.text.slice(before.length, -'\n\n# B'.length)
}

/** Returns the text after an edit, or the reason if it is refused. */
function edit(text: string, contractEdit: ContractEdit): string {
  const result = applyEdit(text, contractEdit)
  return result.ok ? result.text : result.reason
}

describe('changing a field', () => {
  it.each<[FieldChange['field'], unknown, string]>([
    ['id', ' New  Id ', LINE.replace('Check Mail', 'new_id')],
    ['id', 'a|b', LINE.replace('Check Mail', 'a\\|b')],
    ['description', 'a | b || c', LINE.replace('Read \\| it `a|b`', 'a \\| b || c')],
    ['description', 'required', LINE.replace('Read \\| it `a|b`', 'required')],
    ['description', '', LINE.replace('Read \\| it `a|b`', '')],
    ['required', true, LINE.replace('OPTIONAL', 'required')],
    ['required', null, LINE.replace(' OPTIONAL |', '')],
    ['verify', 'a || b', LINE.replace('email_count > 0', 'verify: a || b')],
    ['verify', 'optional', LINE.replace('email_count > 0', 'verify: optional')],
    ['verify', 'verify: x', LINE.replace('email_count > 0', 'verify: verify: x')],
    ['verify', 'contains("f", "a|b")', LINE.replace('email_count > 0', 'verify: contains("f", "a\\|b")')],
    ['verify', '`x`', LINE.replace('email_count > 0', 'verify: `` `x` ``')],
    ['verify', null, LINE.replace(' email_count > 0 |', '')],
    ['verify', ' ', LINE.replace(' email_count > 0 |', '')],
    ['maxAttempts', 5, LINE.replace(': 2', ': 5')],
    ['maxAttempts', null, LINE.replace(' max_attempts: 2 |', '')],
  ])('changes %s to %j and leaves the other fields unchanged', (field, value, expected) => {
    expect(change(LINE, { field, value } as FieldChange)).toBe(expected)
  })

  it.each<[string, FieldChange, string]>([
    ['- [ ] a | d', { field: 'required', value: false }, '- [ ] a | d | optional'],
    ['- [ ] a|d|x|', { field: 'required', value: false }, '- [ ] a|d| optional |x|'],
    [
      '- [ ] a | d | optional | max_attempts: 2',
      { field: 'verify', value: 'n' },
      '- [ ] a | d | optional | verify: n | max_attempts: 2',
    ],
    ['- [ ] a | d |', { field: 'maxAttempts', value: 2 }, '- [ ] a | d | max_attempts: 2 |'],
    ['- [ ] a | d', { field: 'verify', value: 'task_completed' }, '- [ ] a | d'],
    ['- [ ] a | d', { field: 'required', value: true }, '- [ ] a | d'],
    ['- [ ] a | d', { field: 'maxAttempts', value: null }, '- [ ] a | d'],
    ['- [ ] a | d | n | m', { field: 'verify', value: null }, '- [ ] a | d'],
    ['- [ ] Do the thing', { field: 'id', value: 'thing' }, '- [ ] thing | Do the thing'],
    ['- [ ] Do the thing', { field: 'description', value: 'Else' }, '- [ ] Do the thing | Else'],
    ['- [ ] Do the thing', { field: 'description', value: '' }, '- [ ] Do the thing |'],
    ['- [ ] Do a \\| b', { field: 'required', value: false }, '- [ ] Do a \\| b | Do a \\| b | optional'],
    ['- [ ]', { field: 'id', value: 'x' }, '- [ ] x |'],
    ['- [ ]', { field: 'description', value: 'd' }, '- [ ] | d'],
    ['- [ ] | d', { field: 'id', value: 'x' }, '- [ ] x | d'],
    ['*   [X]\ta |d  ', { field: 'description', value: 'e\\' }, '*   [X]\ta | e\\  '],
    ['- [ ] a|d\\|x|n', { field: 'description', value: '|' }, '- [ ] a| \\| |n'],
    ['- [ ] a | ` | n', { field: 'verify', value: 'm' }, '- [ ] a | ` | verify: m'],
  ])('turns %j with %j into %j', (line, fieldChange, expected) => {
    expect(change(line, fieldChange)).toBe(expected)
  })

  it.each<[FieldChange]>([
    [{ field: 'id', value: '  ' }],
    [{ field: 'description', value: 'two\nlines' }],
    [{ field: 'verify', value: 'two\rlines' }],
    [{ field: 'maxAttempts', value: 0 }],
    [{ field: 'maxAttempts', value: 1.5 }],
    [{ field: 'maxAttempts', value: Number.NaN }],
  ])('refuses %j with the reason', (fieldChange) => {
    expect(change(LINE, fieldChange)).toMatch(/^(Enter an id|A task|max_attempts) .*\.$/)
  })

  it('is refused if a backtick would pair with one in another field', () => {
    expect(change('- [ ] a | one ` tick | optional', { field: 'verify', value: '`n' })).toMatch(/backticks/)
  })
})

const TASKS = '## Tasks\r\n- [ ] a | d\r\n  - c\r\n- [x] b\r\n\r\n- [ ] c'

describe('editing the list', () => {
  it.each<[string, ContractEdit, string]>([
    ['toggle', { kind: 'toggle', task: 0 }, TASKS.replace('[ ] a', '[x] a')],
    ['toggle back', { kind: 'toggle', task: 1 }, TASKS.replace('[x] b', '[ ] b')],
    ['remove with its criteria', { kind: 'remove', task: 0 }, '## Tasks\r\n- [x] b\r\n\r\n- [ ] c'],
    ['remove the last', { kind: 'remove', task: 2 }, '## Tasks\r\n- [ ] a | d\r\n  - c\r\n- [x] b\r\n'],
    [
      'move down',
      { kind: 'move', task: 0, to: 1 },
      '## Tasks\r\n- [x] b\r\n- [ ] a | d\r\n  - c\r\n\r\n- [ ] c',
    ],
    [
      'move to the end',
      { kind: 'move', task: 0, to: 2 },
      '## Tasks\r\n- [x] b\r\n\r\n- [ ] c\r\n- [ ] a | d\r\n  - c',
    ],
    [
      'move up from the end',
      { kind: 'move', task: 2, to: 0 },
      '## Tasks\r\n- [ ] c\r\n- [ ] a | d\r\n  - c\r\n- [x] b\r\n',
    ],
    ['move to the same place', { kind: 'move', task: 1, to: 1 }, TASKS],
    ['add at the end', { kind: 'add', task: { id: 'N', description: 'd' } }, `${TASKS}\r\n- [ ] n | d`],
    [
      'add after a task',
      {
        kind: 'add',
        after: 0,
        task: {
          id: 'n',
          description: 'x|y',
          required: false,
          verify: 'v || w',
          maxAttempts: 2,
          checked: true,
        },
      },
      TASKS.replace('- [x] b', '- [x] n | x\\|y | optional | verify: v || w | max_attempts: 2\r\n- [x] b'),
    ],
  ])('%s', (_, contractEdit, expected) => {
    expect(edit(TASKS, contractEdit).replace(/\r\n$/, '')).toBe(expected.replace(/\r\n$/, ''))
  })

  it.each([
    { kind: 'remove', task: 3 },
    { kind: 'toggle', task: -1 },
    { kind: 'move', task: 0, to: 3 },
    { kind: 'move', task: 0.5, to: 1 },
    { kind: 'add', after: 9, task: { id: 'n', description: '' } },
  ] as const)('refuses %j because the task does not exist', (contractEdit) => {
    expect(edit(TASKS, contractEdit)).toBe('This task is no longer in the contract.')
  })

  it('distinguishes tasks with the same id', () => {
    expect(edit('## Tasks\n- [ ] a\n- [ ] a\n', { kind: 'toggle', task: 1 })).toBe(
      '## Tasks\n- [ ] a\n- [x] a\n',
    )
  })

  it('uses the marker and indentation of the place', () => {
    const text = '## Tasks\n* Group\n  +  [ ] a\n* [ ] b\n  - c\n'
    expect(edit(text, { kind: 'add', after: 0, task: { id: 'n', description: 'd' } })).toBe(
      text.replace('[ ] a\n', '[ ] a\n  +  [ ] n | d\n'),
    )
    expect(edit(text, { kind: 'move', task: 1, to: 0 })).toBe(
      '## Tasks\n* Group\n  * [ ] b\n    - c\n  +  [ ] a\n',
    )
  })

  it('keeps an empty line if the lines around it would merge', () => {
    expect(edit('## Tasks\npara\n- [ ] a\n---', { kind: 'remove', task: 0 })).toBe('## Tasks\npara\n\n---')
  })

  it('refuses to remove or move a task that shares its line with a list', () => {
    const text = '## Tasks\n- - [ ] a\n- [ ] b\n'
    expect(edit(text, { kind: 'remove', task: 0 })).toMatch(/Removing this task would/)
    expect(edit(text, { kind: 'move', task: 0, to: 1 })).toMatch(/Moving the task there would/)
    expect(edit(text, { kind: 'add', after: 0, task: { id: 'n', description: 'd' } })).toBe(
      '## Tasks\n- - [ ] a\n  - [ ] n | d\n- [ ] b\n',
    )
  })

  it('refuses to edit a text that is too large', () => {
    expect(edit('x'.repeat(3_000_000), { kind: 'toggle', task: 0 })).toMatch(/too large/)
  })
})

describe('the first task', () => {
  const task: NewTask = { id: 'n', description: 'd' }
  it.each([
    ['', '## Tasks\n\n- [ ] n | d\n'],
    ['\uFEFF', '\uFEFF## Tasks\n\n- [ ] n | d\n'],
    ['# x', '# x\n\n## Tasks\n\n- [ ] n | d'],
    ['# x\r\ny\r\n', '# x\r\ny\r\n\r\n## Tasks\r\n\r\n- [ ] n | d\r\n'],
    ['# x\n\n', '# x\n\n## Tasks\n\n- [ ] n | d\n'],
    ['- [ ] out\n', '- [ ] out\n\n## Tasks\n\n- [ ] n | d\n'],
    ['## Tasks', '## Tasks\n\n- [ ] n | d'],
    ['Tasks\n-----\n\n\n# End', 'Tasks\n-----\n\n- [ ] n | d\n\n\n# End'],
    ['## Tasks\nprose\n# End\n', '## Tasks\nprose\n\n- [ ] n | d\n# End\n'],
    ['## Tasks\nEnd\n---\n', '## Tasks\n\n- [ ] n | d\n\nEnd\n---\n'],
    ['## Tasks\n\n```\nopen', '## Tasks\n\n- [ ] n | d\n\n\n```\nopen'],
  ])('is added to %j', (text, expected) => {
    expect(edit(text, { kind: 'add', task })).toBe(expected)
  })

  it.each(['```\nopen', '<!-- open\n'])('is refused after %j, where it would be text', (text) => {
    expect(edit(text, { kind: 'add', task })).toMatch(/cannot be written/)
  })
})
