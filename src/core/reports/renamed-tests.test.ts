import { describe, expect, it } from 'vitest'
import { withoutRenamed } from './renamed-tests.ts'

const RENAMED = { from: 'adds', to: 'sums' }

describe('an honest rename', () => {
  it.each([
    ['tests::adds', 'tests::sums'],
    ['adds', 'sums'],
    ['cart > adds', 'cart > sums'],
    ['CartTest.adds', 'CartTest.sums'],
  ])('loses no test: %s to %s', (lost, added) => {
    expect(withoutRenamed([lost], [added], [RENAMED])).toEqual([])
  })

  it('of two tests with the same name in two places loses neither', () => {
    const lost = ['a::adds', 'b::adds']
    expect(withoutRenamed(lost, ['a::sums', 'b::sums'], [RENAMED, RENAMED])).toEqual([])
  })
})

describe('a liar loses a test', () => {
  it.each([
    ['whose name only contains a renamed one', ['tests::adds_twice'], ['tests::sums_twice']],
    ['whose name only ends like a renamed one', ['tests::never_adds'], ['tests::never_sums']],
    ['whose module is named like a renamed test', ['adds::holds'], ['sums::holds']],
    ['that ran in another location', ['tests::adds'], ['other::sums']],
    ['that did not run at all', ['tests::adds'], []],
  ])('%s', (_, lost, added) => {
    expect(withoutRenamed(lost, added, [RENAMED])).toEqual(lost)
  })

  it('by renaming another test with the same name', () => {
    const lost = ['a::adds', 'b::adds']
    expect(withoutRenamed(lost, ['a::sums', 'b::sums'], [RENAMED])).toEqual(['b::adds'])
  })
})
