import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asTaskLine } from './near-tasks.ts'
import { parseContract } from './parse.ts'

/** Returns the line, column and text of each line reported as nearly a task. */
function near(text: string): readonly string[] {
  return parseContract(text)
    .diagnostics.filter(({ code }) => code === 'malformed-task')
    .map(
      ({ range: { start, end } }) => `${start.line}:${start.column} ${text.slice(start.offset, end.offset)}`,
    )
}

const inSection = (...lines: readonly string[]) => ['## Tasks', '', ...lines, ''].join('\n')

/** Lines that look like tasks but are text to CommonMark. */
const NEAR = [
  '-[ ] task_b | B | verify: n > 0',
  '-[x] b',
  '*[X] b | B',
  '+[ ] b',
  '-[ ]b',
  '-[ ]',
  '-[] b | B',
  '-[  ] b',
  '-\u00a0[ ] b | B',
  '• [ ] b | B',
  '– [ ] b',
  '—[x] b',
  '1.[ ] b',
  '2)[ ] b',
  '[ ] task_b | B | verify: n > 0',
  '[x] b | B',
] as const

/** Lines of prose that a person writes between tasks. */
const PROSE = [
  'Each of these is done in its own branch.',
  'Boxes look like -[ ] or [x] here.',
  '[ ] is an open task, [x] a finished one.',
  '[x] marks what is done',
  '[x](https://example.org) explains it.',
  '-[x](https://example.org) too, and *[x]: that*.',
  '[docs] | [code] | [tests]',
  '[x][ref] | see below',
  '[1] | the first of them',
  '*[] p = [](int a) { return a; }',
  '-1 is returned | never thrown',
  '*Important*: [ ] and [x] are boxes.',
  '**[x] bold**',
  '–[sic]– stands there',
  '— [who] said it',
  'a-[ ] b | c',
  '`-[ ] b | B` is a mistake.',
] as const

describe('a line of the Tasks section that looks like a task but is not one', () => {
  it.each(NEAR)('is reported at its place: %j', (line) => {
    expect(near(inSection(line))).toEqual([`3:1 ${line}`])
    expect(near(inSection('Some words', `  ${line}`, 'and more'))).toEqual([`4:3 ${line}`])
    // The task before it absorbs the line as a continuation.
    expect(near(inSection('- [ ] a | A', line, '- [ ] c | C'))).toEqual([`4:1 ${line}`])
    expect(near(inSection('- [ ] a | A', '  - a criterion', `    ${line}`))).toEqual([`5:5 ${line}`])
    expect(near(inSection('> quoted', `> ${line}`))).toEqual([`4:3 ${line}`])
    expect(parseContract(inSection('- [ ] a | A', line)).tasks.map(({ id }) => id)).toEqual(['a'])
  })

  it.each(NEAR)('becomes the intended task when the suggested line is written: %j', (line) => {
    const written = asTaskLine(`  ${line}`) ?? ''
    expect(written).toMatch(/^ {2}- \[[ x]\] /)
    const { tasks, diagnostics } = parseContract(inSection('Some words', written))
    expect(tasks).toHaveLength(1)
    expect(tasks[0]?.checked).toBe(/\[x\]/i.test(line))
    expect(diagnostics.map(({ code }) => code)).not.toContain('malformed-task')
  })

  it('says so if its indentation makes it continue the line before', () => {
    const { diagnostics, tasks } = parseContract(inSection('- [ ] a | A', '\t\t- [ ] b | B', '- [ ] c | C'))
    expect(tasks.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(near(inSection('- [ ] a | A', '\t\t- [ ] b | B'))).toEqual(['4:3 - [ ] b | B'])
    expect(diagnostics.find(({ code }) => code === 'malformed-task')?.message).toContain('indentation')
  })

  it('suggests what to write instead', () => {
    const message = (line: string) =>
      parseContract(inSection(line)).diagnostics.find(({ code }) => code === 'malformed-task')?.message
    expect(message('-[ ] b')).toBe(
      'This line looks like a task but is not one. Start it with "- [ ] ", with a space after the "-" and after the box.',
    )
    expect(message('- [] b')).toContain('This list item is not a task')
  })

  it.each(NEAR)('is not reported in code, comments, markup or outside the section: %j', (line) => {
    for (const text of [
      inSection('```', line, '```'),
      inSection('~~~ md', '', line, '', '~~~'),
      inSection('```', line),
      inSection('- [ ] a | A', '  ```', `  ${line}`, '  ```'),
      inSection('<!--', line, '-->'),
      inSection('<!-- ', '', line, '', '-->'),
      inSection('Words <!-- and a comment', line, '--> that ends'),
      inSection('- [ ] a | A', '  Words <!-- and a comment', `  ${line}`, '  --> that ends'),
      inSection('<div>', line, '</div>'),
      inSection(`    ${line}`),
      inSection('Words `and code', line, 'that ends` here'),
      `${line}\n\n## Tasks\n\n- [ ] a | A\n\n## After\n\n${line}\n`,
      `# No section\n\n${line}\n`,
    ]) {
      expect(near(text), text).toEqual([])
    }
  })

  it.each(PROSE)('does not report a line of prose: %j', (line) => {
    expect(near(inSection(line))).toEqual([])
    expect(near(inSection('Some words', line, 'and more.'))).toEqual([])
    expect(near(inSection('- [ ] a | A', `  ${line}`))).toEqual([])
  })

  it('is found in any other text, by line and column, without false positives', () => {
    const word = fc.constantFrom(
      'done',
      'the',
      '[x]',
      '[ ]',
      '[link](u)',
      '-',
      '–',
      '*both*',
      '`-[ ] x`',
      '1.',
      'a|b',
      '(x)',
    )
    const prose = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => `Words ${words.join(' ')}`)
    const plain = fc.oneof(prose, fc.constantFrom(...PROSE.filter((line) => !line.includes('`'))))
    const block = fc.oneof(
      fc.record({ near: fc.constant(false), lines: plain.map((line) => [line]) }),
      fc.record({ near: fc.constant(true), lines: fc.constantFrom(...NEAR).map((line) => [line]) }),
      fc.record({
        near: fc.constant(false),
        lines: fc
          .tuple(fc.constantFrom('```', '~~~'), fc.constantFrom(...NEAR))
          .map(([fence, line]) => [fence, line, fence]),
      }),
      fc.record({
        near: fc.constant(false),
        lines: fc.constantFrom(...NEAR).map((line) => ['<!--', line, '-->']),
      }),
      fc.record({ near: fc.constant(false), lines: fc.nat(99).map((at) => [`- [ ] t${at} | T`]) }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(block, fc.boolean()), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (blocks, lineBreak) => {
          const lines = ['# Work', '## Tasks', '']
          const expected: string[] = []
          for (const [{ near: isNear, lines: own }, isLoose] of blocks) {
            if (isNear) expected.push(`${lines.length + 1}:1 ${own[0]}`)
            // A separate block ends the text before it.
            lines.push(...own, ...(isLoose || own.length > 1 ? [''] : []))
          }
          expect(near(lines.join(lineBreak))).toEqual(expected)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('stays fast for a text of many such lines', () => {
    const lines = 100_000
    const startedAt = performance.now()
    const { diagnostics } = parseContract(`## Tasks\n${'-[ ] `a <!-- \n'.repeat(lines)}`)
    expect(diagnostics.length).toBeLessThanOrEqual(1_001)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})

describe('mistakes that parse as something else', () => {
  const codesOf = (line: string, options = {}) =>
    parseContract(`## Tasks\n${line}\n`, {
      probeNames: ['tests', 'mails'],
      reportProbes: ['tests'],
      ...options,
    })
      .diagnostics.filter(({ code }) => code !== 'exit-code-only')
      .map(({ code, message }) => `${code}: ${message}`)

  it.each([
    ['- [ ] b | | required | verify: mails > 0', /^empty-description: /],
    [
      '- [ ] b | B | required | optional | verify: mails > 0',
      /^required-and-optional: .*"required" comes first/,
    ],
    ['- [ ] b | B | requird | max_attempts: 2', /^unknown-field: .*Did you mean "required"\?/],
    ['- [ ] b | B | max_attempt: 2', /^unknown-field: .*Did you mean "max_attempts: 2"\?/],
    ['- [ ] b | B | verify: tests.faild == 0', /^unknown-key: .*did you mean "failed"\?/],
  ])('are reported: %s', (line, expected) => {
    expect(codesOf(line)).toEqual([expect.stringMatching(expected)])
  })

  it.each([
    '- [ ] b | B | required | required | verify: mails > 0',
    '- [ ] b | B | verify: tests.failed == 0 && tests.executed > 3',
    '- [ ] b | B | verify: exists("tests.faild")',
    '- [ ] b | B | verify: mails > 0',
  ])('are not reported if there are none: %s', (line) => {
    expect(codesOf(line)).toEqual([])
  })

  it.each(['## Tasks:', '## 📋 Tasks', '## Daily tasks', '# Tasks', '## To-do'])(
    'reports a heading that was meant as the section, at its place: %s',
    (heading) => {
      const { tasks, diagnostics } = parseContract(`# Work\n\n${heading}\n\n- [ ] a | A\n`)
      expect(tasks).toEqual([])
      const [near] = diagnostics.filter(({ code }) => code === 'no-tasks')
      expect(near).toMatchObject({ message: expect.stringContaining('Did you mean "## Tasks"?') })
      expect(near?.range.start.line).toBe(3)
    },
  )

  it('does not report a heading about something else', () => {
    const [none] = parseContract('# Work\n\n## How tasks are checked\n').diagnostics
    expect(none?.message).toContain('There is no "## Tasks" section')
  })

  it.each(['> - [ ] a | A\n', '> Somebody said:\n> 1. [x] a\n> - b\n'])(
    'treats a quoted line as text: %j',
    (text) => {
      const { tasks, diagnostics } = parseContract(`## Tasks\n${text}`)
      expect(tasks).toEqual([])
      expect(diagnostics.map(({ code }) => code)).toEqual(['no-tasks'])
    },
  )
})
