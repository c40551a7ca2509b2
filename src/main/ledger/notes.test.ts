import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextByName } from './notes.ts'

test('neighbours are those that come next by their names, however many are asked for', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-'), maxLength: 4 })
  fc.assert(
    fc.property(name, fc.uniqueArray(name), fc.nat(12), (own, all, most) => {
      const names = all.filter((each) => each !== own)
      const inOrder = names.toSorted()
      const next = inOrder.filter((each) => each > own)
      const before = inOrder.filter((each) => each < own)
      expect(nextByName(own, names, most)).toEqual([...next, ...before].slice(0, most))
      expect(nextByName(own, names, Number.POSITIVE_INFINITY)).toEqual([...next, ...before])
    }),
    { seed: 12, numRuns: 500 },
  )
})
