import { describe, expect, test } from 'vitest'
import { withoutEmbedded, workOf } from './difference.ts'
import { EMPTY_DIFFERENCE } from './types.ts'

describe('changes in an embedded repository', () => {
  test.each([
    ['a folder whose name is only part of a word', 'lib', [], 'Update the library', []],
    ['a folder with the same name elsewhere', 'lib', [], 'Update src/lib', []],
    ['an existing folder that the text names by a word', 'website', [], 'Update website', ['website/a.md']],
    [
      'a new folder that the text names by path',
      'website',
      ['website'],
      'Clone it into website/',
      ['website/a.md'],
    ],
    ['a new folder named after a word of the text', 'work', ['work'], 'Do the work', []],
    [
      'a subfolder of one that the text names',
      'vendor/lib',
      [],
      'Update vendor/lib/a.md',
      ['vendor/lib/a.md'],
    ],
  ])('count if the task names it: %s', (_case, folder, newlyEmbedded, text, added) => {
    const difference = { ...EMPTY_DIFFERENCE, added: [`${folder}/a.md`], embedded: [folder], newlyEmbedded }
    expect(withoutEmbedded(difference, text).added).toEqual(added)
  })

  test('do not hide a file that moved into it', () => {
    const renamed = [
      { from: 'a.test.js', to: 'copy/a.test.js' },
      { from: 'copy/b.js', to: 'b.js' },
      { from: 'c.js', to: 'd.js' },
    ]
    const own = withoutEmbedded({ ...EMPTY_DIFFERENCE, renamed, embedded: ['copy'] }, '')
    expect(own).toMatchObject({
      added: ['b.js'],
      deleted: ['a.test.js'],
      renamed: [{ from: 'c.js', to: 'd.js' }],
    })
  })

  test('are matched by whole folder names', () => {
    const added = ['lib/a.js', 'lib-two/a.js', 'src/lib/a.js']
    const changedElsewhere = ['lib/a.js', 'lib-two/a.js']
    const own = withoutEmbedded({ ...EMPTY_DIFFERENCE, added, embedded: ['lib'], changedElsewhere }, '')
    expect(own).toMatchObject({ added: ['lib-two/a.js', 'src/lib/a.js'], changedElsewhere: ['lib/a.js'] })
  })
})

test.each([
  ['Update HEARTBEAT.md', ['HEARTBEAT.md']],
  ['Update heartbeat.md', ['HEARTBEAT.md']],
  ['Update docs/HEARTBEAT.md', []],
])('counts a change of the contract as work if the task names it: %s', (text, modified) => {
  expect(workOf({ ...EMPTY_DIFFERENCE, modified: ['HEARTBEAT.md'] }, text).modified).toEqual(modified)
})
