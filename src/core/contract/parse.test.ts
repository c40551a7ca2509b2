import { describe, expect, it } from 'vitest'
import { parseContract, runnableTasks, slugify } from './parse.ts'
import type { Contract } from './types.ts'

const codes = (contract: Contract) =>
  contract.diagnostics.map(({ code, range }) => `${range.start.line} ${code}`)
const parseLine = (line: string) => parseContract(`## Tasks\n${line}`)
/** Returns the text that a diagnostic underlines. */
const underlined = (text: string, code: string) =>
  parseContract(text, { probeNames: ['email_count'] })
    .diagnostics.filter((diagnostic) => diagnostic.code === code)
    .map(({ range }) => text.slice(range.start.offset, range.end.offset))

describe('a task line', () => {
  const plain = { required: true, verify: 'task_completed', maxAttempts: 3 }
  it.each([
    ['- [ ] a | Do it', { id: 'a', description: 'Do it', ...plain }],
    ['- [ ]  Check  the\tMail  |  Do it  ', { id: 'check_the_mail', description: 'Do it', ...plain }],
    ['- [ ] Fix The Thing', { id: 'fix_the_thing', description: 'Fix The Thing', ...plain }],
    ['- [ ] a \\| b', { id: 'a_|_b', description: 'a | b', ...plain }],
    ['- [ ] a || b', { id: 'a_||_b', description: 'a || b', ...plain }],
    ['- [ ] a `|` b', { id: 'a_`|`_b', description: 'a `|` b', ...plain }],
    ['- [ ] a |', { id: 'a', description: '', ...plain }],
    ['- [ ] a | required', { id: 'a', description: 'required', ...plain }],
    ['- [ ] a | d | OPTIONAL', { id: 'a', description: 'd', ...plain, required: false }],
    ['- [ ] a | d | Required', { id: 'a', description: 'd', ...plain }],
    ['- [ ] a | d | optional | required', { id: 'a', description: 'd', ...plain, required: false }],
    ['- [ ] a | d | verify: n > 0', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | VERIFY :n > 0', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | n > 0', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | verify: n > 0 || m', { id: 'a', description: 'd', ...plain, verify: 'n > 0 || m' }],
    ['- [ ] a | d | verify: x == "a\\|b"', { id: 'a', description: 'd', ...plain, verify: 'x == "a|b"' }],
    ['- [ ] a | d | verify: `n > 0`', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | `` x == "`" ``', { id: 'a', description: 'd', ...plain, verify: 'x == "`"' }],
    ['- [ ] a | d | `x == "a|b"`', { id: 'a', description: 'd', ...plain, verify: 'x == "a|b"' }],
    ['- [ ] a | d | `x` > `y`', { id: 'a', description: 'd', ...plain, verify: '`x` > `y`' }],
    ['- [ ] a | d | verify: | n > 0', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | | n > 0 |  |', { id: 'a', description: 'd', ...plain, verify: 'n > 0' }],
    ['- [ ] a | d | Max_Attempts: 5', { id: 'a', description: 'd', ...plain, maxAttempts: 5 }],
    [
      '- [ ] a | d | max_attempts:2|n > 0|optional',
      { id: 'a', description: 'd', required: false, verify: 'n > 0', maxAttempts: 2 },
    ],
    ['* [ ] a | d', { id: 'a', description: 'd', ...plain }],
    ['+ [ ] a | d', { id: 'a', description: 'd', ...plain }],
    ['   -  [ ] a | d', { id: 'a', description: 'd', ...plain }],
    ['- [ ]\ta | d', { id: 'a', description: 'd', ...plain }],
    ['- [ ] a | d\n  ---', { id: 'a', description: 'd', ...plain }],
    ['- [ ] a | b\n  --- | ---', { id: 'a', description: 'b', ...plain }],
    ['- [ ] a \\` | d `x', { id: 'a_\\`', description: 'd `x', ...plain }],
  ])('parses %j as intended', (line, expected) => {
    const { tasks } = parseLine(line)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]).toMatchObject({ ...expected, checked: false, criteria: [] })
  })

  it.each([
    ['- [ ] a', false],
    ['- [x] a', true],
    ['- [X] a', true],
  ])('%j is a checked box: %s', (line, checked) => {
    expect(parseLine(line).tasks[0]?.checked).toBe(checked)
  })

  it.each(['0', '-1', '1.5', 'three', '', '1e3', '99999999999999999999'])(
    'allows 3 attempts and warns if max_attempts is %j',
    (value) => {
      const text = `## Tasks\n- [ ] a | d | n > 0 | max_attempts: ${value} | optional`
      const contract = parseContract(text)
      expect(contract.tasks[0]?.maxAttempts).toBe(3)
      expect(codes(contract)).toEqual(['2 bad-max-attempts'])
      expect(underlined(text, 'bad-max-attempts')).toEqual([`max_attempts: ${value}`.trim()])
    },
  )

  it('reads fields only from its first line, and keeps the others', () => {
    const text = '## Tasks\n- [ ] a | d\n  more | optional\nlazy\n\n  - c\n- [ ] b'
    const [task, next] = parseContract(text).tasks
    expect(task).toMatchObject({ description: 'd', required: true, line: 2 })
    expect(text.slice(task?.range.start.offset, task?.range.end.offset)).toBe('- [ ] a | d')
    expect(text.slice(task?.itemRange.start.offset, task?.itemRange.end.offset)).toBe(
      '- [ ] a | d\n  more | optional\nlazy\n\n  - c',
    )
    expect(next?.line).toBe(7)
  })

  it('does not extend a code span into it from the next line', () => {
    expect(parseLine('- [ ] a ` | d\n  ` x').tasks[0]).toMatchObject({ id: 'a_`', description: 'd' })
  })

  it('returns each field with its place', () => {
    const text = '## Tasks\n- [ ] My id | What \\| why |optional| verify: `n`|max_attempts: 2|  | x'
    const fields = parseContract(text).tasks[0]?.fields ?? []
    expect(fields.map(({ kind, range }) => [kind, text.slice(range.start.offset, range.end.offset)])).toEqual(
      [
        ['id', 'My id'],
        ['description', 'What \\| why'],
        ['required', 'optional'],
        ['verify', 'verify: `n`'],
        ['max-attempts', 'max_attempts: 2'],
        ['empty', ''],
        ['verify', 'x'],
      ],
    )
  })
})

describe('acceptance criteria', () => {
  it('are all list items under a task, of any kind and depth', () => {
    const text = [
      '## Tasks',
      '- [ ] a',
      '  - plain',
      '    1. [x] deeper',
      '       wrapped',
      '  * [ ] boxed | not a field',
      '  > - quoted',
      '  >   and wrapped',
      '  -',
      '- [ ] b',
    ].join('\n')
    const [a, b] = parseContract(text).tasks
    expect(a?.criteria.map(({ text, checked, line }) => ({ text, checked, line }))).toEqual([
      { text: 'plain', checked: null, line: 3 },
      { text: 'deeper wrapped', checked: true, line: 4 },
      { text: 'boxed | not a field', checked: false, line: 6 },
      { text: 'quoted and wrapped', checked: null, line: 7 },
    ])
    expect(b?.criteria).toEqual([])
  })

  it.each([
    ['seen | verify: n > 0', 'seen', 'n > 0'],
    ['either | or | VERIFY: n > 0', 'either | or', 'n > 0'],
    ['seen | verify: a \\| b', 'seen', 'a | b'],
    ['seen | verify: exists("a|b")', 'seen', 'exists("a|b")'],
    ['seen | verify: n > 0 | required', 'seen', 'n > 0 | required'],
    ['a pipe `| verify: n` in code', 'a pipe `| verify: n` in code', null],
    ['without a check | verify: | more', 'without a check | verify: | more', null],
  ])('have the check that %j names', (item, text, verify) => {
    const [task] = parseContract(`## Tasks\n- [ ] a | d\n  - [ ] ${item}`).tasks
    expect(task?.criteria).toMatchObject([{ text, verify }])
  })

  it('never lose a check without a word', () => {
    const { diagnostics } = parseContract('## Tasks\n- [ ] a | d | n\n  - [ ] c | verify: n > 0 | required')
    expect(diagnostics.map(({ code }) => code)).toEqual(['broken-hint'])
  })
})

describe('the Tasks section', () => {
  it.each([
    '## Tasks',
    '## TASKS',
    '  ##   tasks   ##',
    '## **Tasks**',
    '## [Tasks](https://example.org "title")',
    '## `tasks` <!-- note -->',
    'Tasks\n---',
  ])('begins at %j', (heading) => {
    expect(parseContract(`${heading}\n\n- [ ] a`).tasks).toHaveLength(1)
  })

  it.each([
    '# Tasks',
    '### Tasks',
    'Tasks\n===',
    '## My tasks',
    '## Tasks:',
    '##Tasks',
    '> ## Tasks',
    '- ## Tasks',
    '    ## Tasks',
    '```\n## Tasks\n```',
    '~~~~\n```\n## Tasks\n~~~~',
    '<!--\n## Tasks\n-->',
    '<!-- ## Tasks -->',
  ])('does not begin at %j', (heading) => {
    const contract = parseContract(`${heading}\n\n- [ ] a | d`)
    expect(contract.tasks).toEqual([])
    expect(contract.diagnostics.map(({ code }) => code)).toContain('no-tasks')
  })

  it('ends at the next heading of level 1 or 2, but not at a deeper, quoted or fenced one', () => {
    const inside = '## Tasks\n- [ ] a\n### Deeper\n- [ ] b\n\n> # Quote\n\n```\n# fence\n```\n- [ ] c\n'
    for (const end of ['# End', '## End', '## Tasks', 'End\n===', 'End\n---']) {
      const contract = parseContract(`${inside}\n${end}\n- [ ] d\n`)
      expect(contract.tasks.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
      expect(contract.context).toBe(`${end}\n- [ ] d\n`)
    }
  })

  it('ignores tasks in a fence, a comment or indented code', () => {
    const text = [
      '## Tasks',
      '```',
      '- [ ] fenced',
      '```',
      '<!--',
      '- [ ] commented',
      '-->',
      '',
      '    - [ ] indented',
      '',
      '- [ ] real | d | n > 0',
      '  ```',
      '  - [ ] in its fence',
      '  ```',
      '-     [ ] code in an item',
    ].join('\n')
    const contract = parseContract(text)
    expect(contract.tasks.map(({ id }) => id)).toEqual(['real'])
    expect(contract.tasks[0]?.criteria).toEqual([])
    expect(codes(contract)).toEqual(['15 malformed-task'])
  })

  it('finds tasks grouped under an item that is not a task, and reports the group', () => {
    const contract = parseContract(
      '## Tasks\n- Group\n  - [ ] a | d | n\n  - [ ] b | d | n\n- - [ ] c | d | n',
    )
    expect(contract.tasks.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(codes(contract)).toEqual(['2 malformed-task', '5 malformed-task'])
  })

  it.each(['- no box', '1. one', '1. [ ] numbered', '-', '- [] a', '- [y] a', '- [ ]a', '-\n  [ ] below'])(
    'has no task line in %j',
    (line) => {
      const contract = parseLine(line)
      expect(contract.tasks).toEqual([])
      expect(codes(contract)).toEqual(['1 no-tasks', '2 malformed-task'])
    },
  )
})

describe('context', () => {
  it.each([
    ['# A\n\ntext\n## Tasks\n- [ ] a\n\n## B\nmore', '# A\n\ntext\n## B\nmore'],
    ['\uFEFF# A\r\n## Tasks\r\n- [ ] a\r\n# B\r\n', '# A\r\n# B\r\n'],
    ['  ## Tasks\n- [ ] a\n # B', ' # B'],
    ['A\n\nTasks\n---\n- [ ] a\n\nB\nC\n---\nD', 'A\n\nB\nC\n---\nD'],
    ['\uFEFFno section\r', 'no section\r'],
    ['', ''],
  ])('of %j is %j', (text, context) => {
    expect(parseContract(text).context).toBe(context)
  })
})

describe('line endings', () => {
  const text = '# A\n\n## Tasks\n- [ ] a | d | verify: n > 0\n  - c\n- [ ] | d\n\n## B\n- [ ] out\n'
  it.each(['\r\n', '\r'])('of %j change only offsets', (lineBreak) => {
    const strip = (contract: Contract) => ({
      tasks: contract.tasks.map(({ range, itemRange, fields, criteria, ...task }) => ({
        ...task,
        criteria: criteria.map(({ text, line }) => ({ text, line })),
      })),
      diagnostics: contract.diagnostics.map(({ range, ...diagnostic }) => ({
        ...diagnostic,
        from: [range.start.line, range.start.column],
        to: [range.end.line, range.end.column],
      })),
    })
    const other = text.replaceAll('\n', lineBreak)
    expect(strip(parseContract(other))).toEqual(strip(parseContract(text)))
    expect(parseContract(other).context).toBe(parseContract(text).context.replaceAll('\n', lineBreak))
  })

  it('are not part of a range, and a byte order mark is not a column', () => {
    const crlf = '\uFEFF## Tasks\r\n- [ ] a\r\n\r\n'
    const range = parseContract(crlf).tasks[0]?.range
    expect(crlf.slice(range?.start.offset, range?.end.offset)).toBe('- [ ] a')
    expect(parseContract('\uFEFF## Tasks').diagnostics[0]?.range.start).toEqual({
      line: 1,
      column: 1,
      offset: 1,
    })
  })
})

describe('diagnostics', () => {
  it.each([
    ['duplicate-id', '## Tasks\n- [ ] A b | d\n- [ ] a  B | d', ['a  B']],
    ['empty-id', '## Tasks\n- [ ] | d\n- [ ]\n- [x]  ', ['- [ ] | d', '- [ ]', '- [x]  ']],
    ['bad-max-attempts', '## Tasks\n- [ ] a | d |max_attempts: 0|x', ['max_attempts: 0']],
    ['two-hints', '## Tasks\n- [ ] a | d | n > 0 | verify: m | x', ['verify: m', 'x']],
    ['two-hints', '## Tasks\n- [ ] a | d\n  - c | verify: m | verify: n', ['- c | verify: m | verify: n']],
    ['two-hints', '## Tasks\n- [ ] a | d\n  - either | or | verify: n', []],
    ['vague-hint', '## Tasks\n- [ ] a | d | Done\n- [ ] b | d | verify: OK', ['Done', 'verify: OK']],
    ['vague-hint', '## Tasks\n- [ ] a | d | TASK_COMPLETED\n- [ ] b | d', ['TASK_COMPLETED', '- [ ] b | d']],
    ['vague-hint', '## Tasks\n- [ ] a | d | email_count > 0\n- [ ] b | d | all is well', []],
    [
      'unknown-probe',
      '## Tasks\n- [ ] a | d | x > y && email_count > 0',
      ['x > y && email_count > 0', 'x > y && email_count > 0'],
    ],
    ['unknown-probe', '## Tasks\n- [ ] a | d | verify: tests.passed', ['verify: tests.passed']],
    ['unknown-probe', '## Tasks\n- [ ] a | d | exists("x") && email_count in [1].map(n, n + 1)', []],
    ['unknown-probe', '## Tasks\n- [ ] a | d | email_count\n- [ ] b | d | all is well', []],
    ['too-many-tasks', `## Tasks\n${'- [ ] t\n'.repeat(7)}`, []],
    ['too-many-tasks', `## Tasks\n${'- [ ] t\n'.repeat(7)}- [ ] eighth\n- [ ] ninth`, ['- [ ] eighth']],
    ['no-tasks', 'nothing', ['']],
    ['no-tasks', 'text\n## Tasks\ntext', ['## Tasks']],
    ['no-tasks', '## Tasks\n- [ ] a', []],
    [
      'checkbox-outside-tasks',
      '- [ ] a\n  1. [x] b\n> - [ ] q\n\n```\n- [ ] f\n```\n<!--\n- [ ] c\n-->\n## Tasks\n- [ ] t\n# End\n* [ ] z',
      ['- [ ] a', '1. [x] b', '- [ ] q', '* [ ] z'],
    ],
    [
      'malformed-task',
      '## Tasks\n- plain\n1. [ ] numbered\n- [ ] t\n  - criterion',
      ['- plain', '1. [ ] numbered'],
    ],
  ])('%s of %j', (code, text, expected) => {
    expect(underlined(text, code)).toEqual(expected)
  })

  it('are errors or warnings as designed', () => {
    const text = '- [ ] out\n## Tasks\n- [ ] a | d | x | y | max_attempts: 0\n- [ ] a | d | z\n- [ ]\n- no\n'
    const { diagnostics } = parseContract(text + '- [ ] t | d | ok\n'.repeat(6), { probeNames: [] })
    const codesOf = (severity: 'error' | 'warning') =>
      [...new Set(diagnostics.filter((one) => one.severity === severity).map(({ code }) => code))].sort()
    expect(codesOf('error')).toEqual(['bad-max-attempts', 'duplicate-id', 'empty-id', 'two-hints'])
    expect(codesOf('warning')).toEqual([
      'checkbox-outside-tasks',
      'malformed-task',
      'too-many-tasks',
      'unknown-probe',
      'vague-hint',
    ])
  })

  it('say what they mean in one or two sentences', () => {
    const text = `## Tasks\n- [ ] a | d | n | n\n- [ ] a\n${'- [ ] t\n'.repeat(7)}`
    const messages = parseContract(text).diagnostics.map(({ message }) => message)
    expect(messages).toContain('The id "a" is already used on line 2. Choose a different id.')
    expect(messages).toContain('This task already has the check "n". Join both with "&&", or remove one.')
    expect(messages).toContain('These are 9 tasks. More than 7 are hard for an agent to keep track of.')
    for (const message of messages) expect(message).toMatch(/^[A-Z0-9"].*\.$/)
  })

  it('do not report unknown probes if no probes are given', () => {
    expect(codes(parseContract('## Tasks\n- [ ] a | d | n > 0'))).toEqual([])
  })

  it('accept a configured probe called done', () => {
    expect(parseContract('## Tasks\n- [ ] a | d | done', { probeNames: ['done'] }).diagnostics).toEqual([])
  })

  it('use the check of the first of two fields', () => {
    expect(parseLine('- [ ] a | d | n > 0 | verify: m').tasks[0]?.verify).toBe('n > 0')
  })
})

describe('hostile texts', () => {
  it('are read up to a limit, and the rest is reported and kept as context', () => {
    const text = `## Tasks\n- [ ] a\n\n${'x'.repeat(3_000_000)}\n- [ ] late`
    const contract = parseContract(text)
    expect(contract.tasks.map(({ id }) => id)).toEqual(['a'])
    expect(contract.diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'too-large' }),
    )
    expect(contract.context.endsWith('x\n- [ ] late')).toBe(true)
  })

  it('are read up to 10,000 tasks and criteria, and the rest is reported', () => {
    const tasks = (count: number) =>
      parseContract(
        `## Tasks\n${Array.from({ length: count }, (_, n) => `- [ ] t${n} | d | x > 0\n  - [ ] well\n`).join('')}`,
      )
    const codes = (count: number) => tasks(count).diagnostics.map(({ code }) => code)
    expect(tasks(5_000).tasks).toHaveLength(5_000)
    expect(codes(5_000)).not.toContain('too-large')
    expect(tasks(20_000).tasks).toHaveLength(5_000)
    expect(codes(20_000).filter((code) => code === 'too-large')).toHaveLength(1)
  })

  it.each([
    ['quotes', '>'.repeat(100_000)],
    ['lists', `${'- '.repeat(100_000)}x`],
    ['deep lists and many lines', `${'- '.repeat(100)}x\n${'\n'.repeat(100_000)}`],
    [
      'deeply indented tasks',
      Array.from({ length: 500 }, (_, depth) => `${' '.repeat(2 * depth)}- [ ] a`).join('\n'),
    ],
    ['backticks', `## Tasks\n- [ ] ${Array.from({ length: 1_000 }, (_, n) => '`'.repeat(n)).join(' ')}`],
    ['pipes', `## Tasks\n- [ ] ${'a|'.repeat(100_000)}`],
    ['whitespace', `## Tasks\n- [ ] a\n  - b${' '.repeat(100_000)}c`],
    ['an open link definition', `[${'a\n'.repeat(30_000)}`],
    ['brackets', `## Tasks\n- [ ] ${'['.repeat(100_000)}`],
    ['NUL and lone surrogates', '## Tasks\n- [ ] \0\uD800 | \uDFFF'],
  ])('of %s are accepted', (_, text) => {
    expect(parseContract(text).tasks.length).toBeLessThan(500)
  })
})

describe('runnableTasks', () => {
  it('drops tasks without an id and repeated ids after the first', () => {
    const contract = parseContract('## Tasks\n- [ ] a | one\n- [ ] | none\n- [ ] A | two\n- [ ] b | three')
    expect(contract.tasks).toHaveLength(4)
    expect(runnableTasks(contract).map(({ description }) => description)).toEqual(['one', 'three'])
  })
})

describe('slugify', () => {
  it.each([
    ['  Check  The\tMail ', 'check_the_mail'],
    ['a-b.c', 'a-b.c'],
    ['ÄRGER', 'ärger'],
    [' \u00a0 ', ''],
  ])('makes %j %j', (text, slug) => {
    expect(slugify(text)).toBe(slug)
    expect(slugify(slug)).toBe(slug)
  })
})

it('reports a text saved as UTF-16 and read as UTF-8, with or without a byte order mark', () => {
  for (const mark of ['\ufeff', '']) {
    const bytes = Buffer.from(`${mark}## Tasks\n- [ ] a | Do it\n`, 'utf16le')
    const { diagnostics } = parseContract(new TextDecoder().decode(bytes))
    expect(diagnostics.map(({ code, message }) => [code, message.includes('UTF-16')])).toEqual([
      ['no-tasks', true],
    ])
  }
  expect(parseContract('nothing').diagnostics[0]?.message).not.toContain('UTF-16')
})
