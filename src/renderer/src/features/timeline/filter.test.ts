import { expect, test } from 'vitest'
import { filterOf, inputOf, queryOf } from './filter.ts'

test('keeps a filter through the address', () => {
  const filter = {
    kinds: ['verdict', 'contract'],
    types: ['contradiction'],
    severity: 'critical',
    task: 'a task & more',
    text: 'what, "now"?',
    cycle: 12,
  } as const
  expect(filterOf(queryOf(filter))).toEqual(filter)
})

test('shows everything for an address without a filter, or with an unknown one', () => {
  expect(queryOf(filterOf({}))).toEqual({})
  expect(inputOf(filterOf({ kinds: 'gossip', severity: 'constructor', cycle: 'soon' }))).toEqual({})
})
