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

  it('that the author ticked in the template is a claim', () => {
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
  ])('%s is none', (_name, text) => {
    expect(readDescription(text).ticked).toEqual([])
  })
})

it('names the tasks of lines that are its own, not of examples in code', () => {
  expect(
    readDescription('Task: one\n**Task:** `two`\n```\nTask: three\n```\n> Task: four\n').taskIds,
  ).toEqual(['one', 'two'])
})
