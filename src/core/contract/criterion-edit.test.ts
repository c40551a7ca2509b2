import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyCriterionEdit, type CriterionEdit } from './criterion-edit.ts'
import { parseContract } from './parse.ts'

const TEXT =
  '\uFEFF# A\r\n\r\n## Tasks\r\n- [ ] a | A\r\n  - [ ] first\r\n  - second\r\n    wrapped\r\n    - [x] nested\r\n\r\n  Words.\r\n- [ ] b | B\n\n## End'

/** Returns the text after an edit, or the reason if it is refused. */
function edit(criterionEdit: CriterionEdit, text = TEXT): string {
  const result = applyCriterionEdit(text, criterionEdit)
  return result.ok ? result.text : result.reason
}

describe('an edit of a criterion', () => {
  it.each<[string, CriterionEdit, [string, string]]>([
    ['sets its text', { kind: 'set', task: 0, criterion: 0, text: ' one ' }, ['[ ] first', '[ ] one']],
    [
      'sets the text of one that is wrapped',
      { kind: 'set', task: 0, criterion: 1, text: 'two' },
      ['second\r\n    wrapped', 'two'],
    ],
    ['checks it', { kind: 'toggle', task: 0, criterion: 0 }, ['[ ] first', '[x] first']],
    ['unchecks it', { kind: 'toggle', task: 0, criterion: 2 }, ['[x] nested', '[ ] nested']],
    ['removes it', { kind: 'remove', task: 0, criterion: 0 }, ['  - [ ] first\r\n', '']],
    [
      'removes it with its nested items',
      { kind: 'remove', task: 0, criterion: 1 },
      ['  - second\r\n    wrapped\r\n    - [x] nested\r\n', ''],
    ],
    ['adds the first one', { kind: 'add', task: 1, text: 'new' }, ['| B\n', '| B\n  - [ ] new\n']],
  ])('%s and keeps every other byte', (_name, criterionEdit, [before, after]) => {
    expect(edit(criterionEdit)).toBe(TEXT.replace(before, after))
  })

  it('adds a criterion in the style of the task’s others', () => {
    const text = '## Tasks\n* [ ] a\n    + one\n    + two'
    expect(edit({ kind: 'add', task: 0, text: 'three' }, text)).toBe(`${text}\n    + three`)
  })

  it.each<[string, CriterionEdit]>([
    ['Enter the text of the criterion.', { kind: 'add', task: 0, text: ' ' }],
    ['A criterion must fit on one line', { kind: 'set', task: 0, criterion: 0, text: 'a\nb' }],
    ['criterion is no longer', { kind: 'remove', task: 0, criterion: 3 }],
    ['task is no longer', { kind: 'add', task: 2, text: 'a' }],
    ['no box', { kind: 'toggle', task: 0, criterion: 1 }],
    ['cannot be written', { kind: 'set', task: 0, criterion: 1, text: '- d' }],
  ])('is refused with the reason: %s', (reason, criterionEdit) => {
    expect(edit(criterionEdit)).toContain(reason)
  })
})

describe('any edit of any contract', () => {
  const line = fc.constantFrom(
    '- [ ] a | A',
    '* [x] b',
    '  - one',
    '  - [ ] two',
    '    1. three',
    '  words',
    '',
    '> - [ ] c',
    '```',
  )
  const lineBreak = fc.constantFrom('\n', '\r\n', '\r')
  const text = fc
    .array(fc.tuple(line, lineBreak), { maxLength: 12 })
    .map((parts) => `## Tasks\n${parts.map((part) => part.join('')).join('')}`)
  const words = fc.constantFrom('x', '`a|b`', '# h', '- d', '[ ] e', '1. f', '> q', '    g', '*h*')
  const index = fc.nat({ max: 3 })
  const anyEdit: fc.Arbitrary<CriterionEdit> = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), task: index, text: words }),
    fc.record({ kind: fc.constant('set' as const), task: index, criterion: index, text: words }),
    fc.record({ kind: fc.constant('remove' as const), task: index, criterion: index }),
    fc.record({ kind: fc.constant('toggle' as const), task: index, criterion: index }),
  )

  it('changes only the criteria of its task, or is refused', () => {
    let made = 0
    fc.assert(
      fc.property(text, anyEdit, (before, criterionEdit) => {
        const result = applyCriterionEdit(before, criterionEdit)
        if (!result.ok) return
        made++
        const told = (source: string) =>
          parseContract(source).tasks.map(({ id, description, verify, checked, criteria }, at) => ({
            ...{ id, description, verify, checked },
            criteria: at === criterionEdit.task ? null : criteria.map((each) => each.text),
          }))
        expect(told(result.text)).toEqual(told(before))
        const count = (source: string) =>
          parseContract(source).tasks[criterionEdit.task]?.criteria.length ?? 0
        const grown = count(result.text) - count(before)
        if (criterionEdit.kind === 'add') expect(grown).toBe(1)
        else if (criterionEdit.kind === 'remove') expect(grown).toBeLessThan(0)
        else expect(grown).toBe(0)
        // At most one line is not in the old text; all other lines are still there, breaks included.
        const own = before.split(/(?<=\n)|(?<=\r)(?!\n)/)
        const fresh = result.text.split(/(?<=\n)|(?<=\r)(?!\n)/).filter((each) => !own.includes(each))
        expect(fresh.length).toBeLessThanOrEqual(2)
      }),
      { seed: 20261121, numRuns: 3000 },
    )
    expect(made).toBeGreaterThan(200)
  })
})
