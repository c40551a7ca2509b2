import { describe, expect, it } from 'vitest'
import { parseContract } from './parse.ts'
import { findWeakening } from './weakening.ts'

const before = [
  '## Tasks',
  '- [ ] a | Do a | required | verify: n > 0 | max_attempts: 3',
  '  - [ ] first',
  '  - second',
  '- [ ] b | Do b | optional',
].join('\n')
const weakening = (edit: (text: string) => string) =>
  findWeakening(parseContract(before), parseContract(edit(before)))

describe('findWeakening', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a task removed', (text) => text.replace(/\n- \[ \] b.*/, ''), ['Task "b" was removed.']],
    ['a task renamed', (text) => text.replace('] b', '] c'), ['Task "b" was removed.']],
    [
      'the section renamed',
      (text) => text.replace('Tasks', 'Old'),
      ['Task "a" was removed.', 'Task "b" was removed.'],
    ],
    [
      'a criterion removed',
      (text) => text.replace('  - second\n', ''),
      ['Task "a": criterion "second" was removed.'],
    ],
    [
      'a criterion rewritten',
      (text) => text.replace('first', 'fir'),
      ['Task "a": criterion "first" was removed.'],
    ],
    [
      'required made optional',
      (text) => text.replace('required', 'optional'),
      ['Task "a": required was made optional.'],
    ],
    [
      'a hint loosened',
      (text) => text.replace('n > 0', 'n >= 0'),
      ['Task "a": hint changed from "n > 0" to "n >= 0".'],
    ],
    [
      'a hint removed',
      (text) => text.replace(' | verify: n > 0', ''),
      ['Task "a": hint changed from "n > 0" to "task_completed".'],
    ],
    [
      'a hint put in',
      (text) => `${text} | 1 == 1`,
      ['Task "b": hint changed from "task_completed" to "1 == 1".'],
    ],
    ['a box checked', (text) => text.replace('[ ] a', '[x] a'), ['Task "a": its box was checked.']],
    [
      'fewer attempts',
      (text) => text.replace('s: 3', 's: 1'),
      ['Task "a": max_attempts lowered from 3 to 1.'],
    ],
    [
      'an easier task put before it under its id',
      (text) => text.replace('- [ ] a', '- [ ] a | easy | n > 0 | optional\n- [ ] a'),
      [
        'Task "a": required was made optional.',
        'Task "a": criterion "first" was removed.',
        'Task "a": criterion "second" was removed.',
      ],
    ],
  ])('tells %s', (_, edit, expected) => {
    expect(weakening(edit)).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['nothing changed', (text) => text],
    ['a task and a criterion added', (text) => `${text}\n  - more\n- [ ] c`],
    ['more attempts', (text) => text.replace('s: 3', 's: 9')],
    ['optional made required', (text) => text.replace('optional', 'required')],
    ['tasks in another order', (text) => text.replace(/(- \[ \] a.*)\n(- \[ \] b.*)/s, '$2\n$1')],
    [
      'criteria in another order',
      (text) => text.replace('  - [ ] first\n  - second', '  - second\n  - [ ] first'),
    ],
    ['other context', (text) => `# New\n${text}\n\n# End`],
  ])('says nothing of %s', (_, edit) => {
    expect(weakening(edit)).toEqual([])
  })

  it('says nothing of a box cleared', () => {
    const checked = before.replaceAll('[ ]', '[x]')
    expect(findWeakening(parseContract(checked), parseContract(before))).toEqual([])
  })

  it('counts criteria of the same text one by one', () => {
    const twice = parseContract('## Tasks\n- [ ] a\n  - [ ] same\n  - [ ] same')
    const checked = parseContract('## Tasks\n- [ ] a\n  - [x] same\n  - [ ] same\n')
    expect(findWeakening(twice, checked)).toEqual([])
    expect(findWeakening(twice, parseContract('## Tasks\n- [ ] a\n  - [ ] same'))).toEqual([
      'Task "a": criterion "same" was removed.',
    ])
  })
})
