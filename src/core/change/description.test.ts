import { describe, expect, it } from 'vitest'
import { readDescription } from './description.ts'

describe('a ticked box', () => {
  it.each([
    ['of the author', '- [x] Tests pass'],
    ['in a numbered list', '1. [X] Tests pass'],
    ['below another item', '* Checks\n    - [x] Tests pass'],
    ['after a code block', '```\nnpm test\n```\n- [x] Tests pass'],
  ])('%s is a claim', (_name, text) => {
    expect(readDescription(text).ticked).toEqual(['Tests pass'])
  })

  it('that the author checked in the template is a claim', () => {
    const template = '- [ ] Tests pass\n1. [ ] Docs\n'
    expect(readDescription('- [x] Tests pass\n1. [x] Docs\n', { template }).ticked).toEqual([
      'Tests pass',
      'Docs',
    ])
  })

  it.each([
    ['in a code block', '```\n- [x] Tests pass\n```'],
    ['in a quote', '> - [x] Tests pass\n<blockquote>\n- [x] Tests pass\n</blockquote>'],
    ['in a folded prompt', '<details><summary>Original prompt</summary>\n\n- [x] Tests pass\n</details>'],
    ['in release notes', '## Release notes\n- [x] Tests pass'],
    ['in a comment', '<!--\n- [x] Tests pass\n-->'],
    ['that was struck out', '- [x] ~~Tests pass~~'],
  ])('%s is not a claim', (_name, text) => {
    expect(readDescription(text).ticked).toEqual([])
  })
})

it('names the tasks in its lines, not in examples of code', () => {
  expect(
    readDescription('Task: one\n**Task:** `two`\n```\nTask: three\n```\n> Task: four\n').taskIds,
  ).toEqual(['one', 'two'])
})

describe('a report', () => {
  const block = '```heartbeat-report\n{"task_id": "one", "status": "done", "evidence": ["a.html: <!--"]}\n```'
  it.each([
    ['at the end', `All tests pass.\n\n${block}\n`],
    ['under release notes', `## Changelog\n- x\n\n${block}\n`],
    ['after a comment', `<!-- template -->\n<!--\nmore\n-->\n${block}\n`],
    ['in a quote', block.replace(/^/gm, '> ')],
  ])('%s counts instead of prose', (_name, text) => {
    expect(readDescription(text)).toMatchObject({ entries: [{ taskId: 'one' }], taskIds: ['one'], units: [] })
  })

  it.each([
    ['in a comment', `All tests pass.\n<!--\n${block}\n-->\n`],
    ['in a comment after code in a sentence', `All tests pass.\n\n\`\`\`a\`\`\`\n<!--\n${block}\n-->\n`],
    ['in a comment that never ends', `All tests pass.\n<!-- \n${block}`],
  ])('%s counts beside prose', (_name, text) => {
    const { entries, taskIds, units } = readDescription(text)
    expect([entries.length, taskIds, units.map((unit) => unit.text)]).toMatchObject([
      1,
      ['one'],
      { 0: 'All tests pass.' },
    ])
  })

  it('in a folded prompt belongs to someone else', () => {
    const text = `All tests pass.\n<details><summary>Original prompt</summary>\n\n${block}\n</details>`
    expect(readDescription(text)).toMatchObject({ taskIds: [], entries: [] })
  })
})

describe('prose', () => {
  it.each([
    ['after a comment that is code in a sentence', 'Reads `<!--` too.\n\nAll tests pass.'],
    ['after a comment in a code block', '```\n<!--\n```\nAll tests pass.'],
    ['after a sentence that speaks of one', 'Everything after <!-- is kept.\n\nAll tests pass.'],
    ['after a tag that is code in a sentence', 'Escapes `<pre>` too.\n\nAll tests pass.'],
    ['after a tag in a code block', '```html\n<blockquote>\n```\n\nAll tests pass.'],
    ['after a tag that is only spoken of', 'Closes each <del> now.\n\nAll tests pass.'],
    ['after a quote', '<blockquote>\nNone pass.\n</blockquote>\n\nAll tests pass.'],
    ['after a comment', '<!-- none\n\nof it -->\nAll tests pass.'],
    ['beside comments', 'All tests pass.<!-- or do\nthey? --> <!-- no -->'],
  ])('%s is read', (_name, text) => {
    expect(readDescription(text).units.map((unit) => unit.text)).toContain('All tests pass.')
  })

  it.each([
    ['in a comment', '<!-- None\n\nAll tests pass.\n-->\nDone.'],
    ['in a quote', 'Done.\n\n<blockquote>\nAll tests pass.\n</blockquote>'],
    ['in a quote that never ends', 'Done.\n\n<pre>\nAll tests pass.'],
    ['in a comment that never ends', 'Done.\n\n<!-- None\n\nAll tests pass.'],
    ['in a comment within a sentence', 'Done. <!-- All tests pass.\nReally. -->'],
  ])('%s is not', (_name, text) => {
    expect(readDescription(text).units.map((unit) => unit.text)).toEqual(['Done.'])
  })
})

it.each([
  '<!--',
  '`',
  '` <!-- ',
  '<!--\n',
  '```a\n',
  '<!-- -->',
  '<pre>',
  '~~~\n````\n',
  '`'.repeat(99).concat(' '),
])('is read to the end in linear time, even in a description of only %j', (text) => {
  // In quadratic time, this would not finish before the test's timeout.
  expect(readDescription(text.repeat(400_000 / text.length)).entries).toEqual([])
})
