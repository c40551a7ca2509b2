import { describe, expect, test } from 'vitest'
import { contractItems } from './difference.ts'
import { acceptItems, contractInForce, mergeOperatorEdit, revertItems } from './in-force.ts'
import { parseContract } from './parse.ts'
import { asksLess, isAddition } from './proposal-items.ts'

const BASE = `# Nightly

Keep the data folder clean.

## Tasks

- [ ] mail | Count the mail | required | verify: email_count > 0
  - [ ] every folder
  - [ ] the sum is right
- [ ] report | Write the report | optional | verify: exists("report.md") | max_attempts: 2

## Notes

The operator's word.
`

const edited = (...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from)
    return text.replace(from, () => to)
  }, BASE)

const kinds = (before: string, after: string) => contractItems(before, after).map(({ kind }) => kind)

describe('the difference', () => {
  test.each([
    ['a weaker check', edited(['email_count > 0', 'true']), ['hint'], true],
    ['required made optional', edited(['mail | required', 'mail | optional']), ['required'], true],
    ['optional made required', edited(['report | optional', 'report | required']), ['required'], false],
    ['a checked box', edited(['- [ ] mail', '- [x] mail']), ['box'], true],
    ['an uppercase X', edited(['- [ ] mail', '- [X] mail']), ['box'], true],
    ['a removed criterion', edited(['  - [ ] the sum is right\n', '']), ['criterion_removed'], true],
    [
      'a reworded criterion',
      edited(['the sum is right', 'any sum']),
      ['criterion_removed', 'criterion_added'],
      true,
    ],
    ['a checked criterion', edited(['  - [ ] every', '  - [x] every']), ['criterion_box'], false],
    [
      'a protected file that may change',
      edited(['email_count > 0', 'email_count > 0 | may_change: tests/**']),
      ['may_change'],
      true,
    ],
    ['no files required', edited(['email_count > 0', 'email_count > 0 | files: never']), ['files'], true],
    [
      'a check added to a criterion',
      edited(['every folder', 'every folder | verify: true']),
      ['criterion_removed', 'criterion_added'],
      true,
    ],
    ['more attempts', edited(['max_attempts: 2', 'max_attempts: 9']), ['max_attempts'], false],
    ['fewer attempts', edited(['max_attempts: 2', 'max_attempts: 1']), ['max_attempts'], true],
    ['another description', edited(['Count the mail', 'Look at the mail']), ['description'], false],
    [
      'an added note',
      edited(["The operator's word.\n", "The operator's word.\n\nAll done!\n"]),
      ['note_added'],
      false,
    ],
    ['a changed note', edited(["The operator's word.", 'Do what you like.']), ['note_changed'], false],
    ['lines below a task', edited(['> 0\n', '> 0\n  (any count will do)\n']), ['details'], false],
    [
      'a removed task',
      edited([
        '- [ ] report | Write the report | optional | verify: exists("report.md") | max_attempts: 2\n',
        '',
      ]),
      ['task_removed'],
      true,
    ],
    [
      'a task in a comment',
      edited(['- [ ] report', '<!-- - [ ] report'], ['max_attempts: 2', 'max_attempts: 2 -->']),
      ['task_removed'],
      true,
    ],
    [
      'tasks in a code fence',
      edited(['## Tasks\n', '## Tasks\n\n```\n'], ['\n## Notes', '\n```\n\n## Notes']),
      ['task_removed', 'task_removed'],
      true,
    ],
  ] as const)('%s', (_name, after, expected, less) => {
    expect(kinds(BASE, after)).toEqual(expected)
    expect(contractItems(BASE, after).some(asksLess)).toBe(less)
  })

  test.each([
    [
      'a different order',
      (() => {
        const [head = '', tail = ''] = BASE.split('- [ ] report')
        const [line = '', rest = ''] = [
          tail.slice(0, tail.indexOf('\n') + 1),
          tail.slice(tail.indexOf('\n') + 1),
        ]
        return head.replace('- [ ] mail', () => `- [ ] report${line}- [ ] mail`) + rest
      })(),
    ],
    ['blank lines', edited(['\n## Notes', '\n\n\n## Notes'])],
    ['line endings', BASE.replaceAll('\n', '\r\n')],
    ['a different list marker', edited(['- [ ] mail', '* [ ] mail'])],
  ])('does not include %s', (_name, after) => {
    expect(contractItems(BASE, after)).toEqual([])
  })
})

describe('the approved contract', () => {
  test('keeps the operator’s text where an agent weakened it, and includes what the agent added', () => {
    const disk = edited(
      ['email_count > 0', 'true'],
      ['- [ ] report', '- [ ] extra | More work | verify: true\n- [x] report'],
      ['  - [ ] the sum is right\n', '  - [ ] the sum is right\n  - [ ] in both boxes\n'],
      ["The operator's word.\n", "The operator's word.\nI looked into it.\n"],
    )
    const tasks = parseContract(contractInForce(BASE, disk)).tasks
    expect(tasks.map(({ id, verify, checked }) => [id, verify, checked])).toEqual([
      ['mail', 'email_count > 0', false],
      ['extra', 'true', false],
      ['report', 'exists("report.md")', false],
    ])
    expect(tasks[0]?.criteria.map(({ text }) => text)).toEqual([
      'every folder',
      'the sum is right',
      'in both boxes',
    ])
    expect(contractInForce(BASE, disk)).toContain('I looked into it.')
  })

  test.each([
    ['a comment opened above the tasks', edited(['\n## Tasks', '\n<!--\n\n## Tasks'])],
    ['a code fence opened above the tasks', edited(['\n## Tasks', '\n```\n\n## Tasks'])],
    ['another section with the same name above it', edited(['\n## Tasks', '\n## Tasks\n\n## Old'])],
    ['an empty file', ''],
    ['every task checked', BASE.replaceAll('[ ]', '[x]')],
    ['only unrelated lines', 'a\nb\n'],
  ])('has all of the operator’s tasks: %s', (_name, disk) => {
    expect(contractItems(BASE, contractInForce(BASE, disk)).filter((item) => !isAddition(item))).toEqual([])
  })

  test('does not replace one of the operator’s tasks with another that has the same id', () => {
    const disk = edited(['- [ ] mail', '- [ ] mail | Nothing to do | verify: true\n- [ ] mail'])
    expect(contractInForce(BASE, disk)).toBe(BASE)
  })
})

describe('an operator’s edit over a pending proposal', () => {
  const weakened = edited(['email_count > 0', 'true'])

  test('on the same line counts, and keeps the rest of the operator’s line', () => {
    const disk = weakened.replace('Count the mail', 'Count all mail')
    const expected = { kind: 'merged', base: edited(['Count the mail', 'Count all mail']) }
    expect(mergeOperatorEdit(BASE, weakened, disk)).toEqual(expected)
  })

  test('of the same field is the operator’s decision', () => {
    const disk = weakened.replace('verify: true', 'verify: email_count > 5')
    expect(mergeOperatorEdit(BASE, weakened, disk)).toEqual({ kind: 'merged', base: disk })
  })

  test('that restores the line settles it', () => {
    expect(mergeOperatorEdit(BASE, weakened, BASE)).toEqual({ kind: 'merged', base: BASE })
  })

  test('elsewhere counts, and the removed task stays', () => {
    const removed = edited([
      '- [ ] report | Write the report | optional | verify: exists("report.md") | max_attempts: 2\n',
      '',
    ])
    const disk = removed.replace('every folder', 'each folder')
    expect(mergeOperatorEdit(BASE, removed, disk)).toEqual({
      kind: 'merged',
      base: edited(['every folder', 'each folder']),
    })
  })

  test('ignores the boxes that an agent checked', () => {
    const checked = edited(['- [ ] mail', '- [x] mail'], ['  - [ ] every', '  - [x] every'])
    const disk = `${checked}\nMore of the operator's.\n`
    expect(mergeOperatorEdit(BASE, checked, disk)).toEqual({
      kind: 'merged',
      base: `${BASE}\nMore of the operator's.\n`,
    })
  })
})

describe('an answer', () => {
  const disk = edited(
    ['email_count > 0', 'true'],
    ['Count the mail', 'Look at the mail'],
    ['mail | required', 'mail | optional'],
  )
  const items = contractItems(BASE, disk)
  const only = (kind: string) => items.filter((item) => item.kind === kind)

  test('makes the file the operator’s when everything is accepted', () => {
    expect(acceptItems(BASE, disk, items)).toEqual({ base: disk, disk })
  })

  test('makes an accepted part the operator’s', () => {
    const base = edited(['Count the mail', 'Look at the mail'])
    expect(acceptItems(BASE, disk, only('description'))).toEqual({ base, disk })
  })

  test('restores a reverted part', () => {
    const reverted = revertItems(BASE, disk, only('hint'))
    expect(reverted?.base).toBe(BASE)
    expect(reverted?.disk).toBe(
      edited(['Count the mail', 'Look at the mail'], ['mail | required', 'mail | optional']),
    )
  })

  test.each(['\n', '\r\n'])(
    'restores every byte, including checked boxes, when everything is reverted',
    (lineBreak) => {
      const base = `\uFEFF${BASE.replaceAll('\n', lineBreak).trimEnd()}`
      const weakened = base.replace('email_count > 0', 'true')
      const checked = weakened.replace('- [ ] every', '- [x] every')
      expect(revertItems(base, checked, contractItems(base, weakened))).toEqual({ base, disk: base })
    },
  )

  test('keeps the added task when a weaker check is reverted', () => {
    const more = disk.replace('\n## Notes', '- [ ] extra | More\n\n## Notes')
    const reverted = revertItems(BASE, more, items)
    expect(reverted?.disk).toContain('- [ ] extra | More')
    expect(contractItems(BASE, reverted?.disk ?? '').map(({ kind }) => kind)).toEqual(['task_added'])
  })

  test('restores a removed task at its position, criteria included', () => {
    const removed = edited([BASE.slice(BASE.indexOf('- [ ] mail'), BASE.indexOf('- [ ] report')), ''])
    const noted = removed.replace("The operator's word.\n", "The operator's word.\nSeen.\n")
    const items = contractItems(BASE, noted).filter(({ kind }) => kind === 'task_removed')
    expect(revertItems(BASE, noted, items)?.disk).toBe(
      edited(["The operator's word.\n", "The operator's word.\nSeen.\n"]),
    )
  })
})

describe('an agent that floods the contract', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `- [ ] t${n} | d | verify: true\n`).join('')

  test('changes nothing in effect by adding more tasks than are read before the operator’s own', () => {
    const drowned = edited(['- [ ] mail', `${many(20_000)}- [ ] mail`])
    expect(parseContract(drowned).tasks.map(({ id }) => id)).not.toContain('mail')
    expect(contractInForce(BASE, drowned)).toBe(BASE)
  })

  test('cannot displace the operator’s tasks by adding criteria to its own', () => {
    const criteria = Array.from({ length: 20_000 }, (_, n) => `  - [ ] more ${n}\n`).join('')
    const drowned = edited(['  - [ ] every', `${criteria}  - [ ] every`])
    expect(contractInForce(BASE, drowned)).toBe(BASE)
  })

  test('adds nothing before it is answered if its text is longer than one heartbeat may record', () => {
    const lines = Array.from({ length: 50 }, (_, n) => `- [ ] t${n} | ${'d'.repeat(4_000)} | verify: true\n`)
    expect(contractInForce(BASE, edited(['\n## Notes', `${lines.join('')}\n## Notes`]))).toBe(BASE)
  })

  test('reads all of five additions to a contract with 5,000 of the operator’s tasks', () => {
    const own = edited(['\n## Notes', `${many(5_000)}\n## Notes`])
    const plan = many(5).replaceAll('] t', '] plan')
    const text = contractInForce(
      own,
      own.replace('\n## Notes', () => `${plan}\n## Notes`),
    )
    expect(parseContract(text).tasks).toHaveLength(5_007)
  })

  test('reads all of several hundred honest tasks', () => {
    const longer = edited(['\n## Notes', `${many(300)}\n## Notes`])
    const ids = parseContract(contractInForce(BASE, longer)).tasks.map(({ id }) => id)
    expect(ids).toHaveLength(302)
    expect(ids.slice(0, 2)).toEqual(['mail', 'report'])
  })
})
