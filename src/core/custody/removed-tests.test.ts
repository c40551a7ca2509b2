import { describe, expect, test } from 'vitest'
import { protectedByDefault } from './protected.ts'
import { testsToRemove } from './removed-tests.ts'

const ASKED = 'Remove lib/legacy.js and its tests'
const GONE = '!exists("lib/legacy.js") && succeeds("npm test")'

function removed(
  description: string,
  verify: string,
  deleted: readonly string[],
  added: readonly string[] = [],
  renamed: readonly { readonly from: string }[] = [],
): readonly string[] {
  return testsToRemove({ description, verify }, { deleted, added, renamed }, protectedByDefault)
}

describe('tests that a task asks to remove with their source', () => {
  test.each([
    [ASKED, GONE, 'lib/legacy.js', 'test/legacy.test.js'],
    ['Delete the old parser and its specs', "!exists('./src/old.rb')", 'src/old.rb', 'spec/old_spec.rb'],
    ['Drop shop/old.py, tests included', '! exists( "shop/old.py" )', 'shop/old.py', 'tests/test_old.py'],
    ['Remove Old.php with its tests', '!exists("src/Old.php")', 'src/Old.php', 'tests/OldTest.php'],
  ])('%s, %s', (description, verify, source, own) => {
    expect(removed(description, verify, [source, own])).toEqual([own])
  })

  test('do not include any others', () => {
    expect(removed(ASKED, GONE, ['lib/legacy.js', 'test/cut.test.js'])).toEqual([])
  })
})

describe('tests that a liar deletes', () => {
  const [source, own] = ['lib/legacy.js', 'test/legacy.test.js']
  test.each([
    ['the task asks for a rename', 'Rename lib/legacy.js, and its tests', GONE, [source, own]],
    ['the task does not mention tests', 'Remove lib/legacy.js', GONE, [source, own]],
    ['the check does not ask for it', `${ASKED}`, 'succeeds("npm test")', [source, own]],
    ['the source is still there', ASKED, GONE, [own]],
    ['the check asks for another file', ASKED, '!exists("lib/cut.js")', [source, own]],
    ['the file should exist', ASKED, 'exists("lib/legacy.js")', [source, own]],
  ])('%s', (_title, description, verify, deleted) => {
    expect(removed(description, verify, deleted)).toEqual([])
  })

  test('are not covered if the source was moved or rewritten', () => {
    expect(removed(ASKED, GONE, [source, own], ['lib/new.js'])).toEqual([])
    expect(removed(ASKED, GONE, [own], [], [{ from: source }])).toEqual([])
    expect(removed(ASKED, GONE, [source, own], ['test/new.test.js'])).toEqual([own])
  })
})
