import { expect, test } from 'vitest'
import type { Intervention } from '../../../../api/schemas/intervention.ts'
import { type TimelinePages, withNewest, withOlder } from './pages.ts'

function page(ids: string, nextCursor: string | null, remediation = 'pending'): TimelinePages {
  return { interventions: [...ids].map((id) => ({ id, remediation }) as Intervention), nextCursor }
}

function ids({ interventions }: TimelinePages): string {
  return interventions.map(({ id }) => id).join('')
}

test('new entries come on top, known ones as they are now, and what was loaded below stays', () => {
  const merged = withNewest(page('edcba', 'a'), page('gfed', 'd', 'succeeded'))
  expect(ids(merged)).toBe('gfedcba')
  expect(merged.nextCursor).toBe('a')
  expect(merged.interventions.filter(({ remediation }) => remediation === 'succeeded')).toHaveLength(4)
})

test('nothing is left out in silence where more is new than a page holds', () => {
  expect(withNewest(page('cba', 'a'), page('zyx', 'x'))).toEqual(page('zyx', 'x'))
})

test('a page that holds everything takes the place of all', () => {
  expect(ids(withNewest(page('cba', null), page('d', null)))).toBe('d')
  expect(ids(withNewest(null, page('ba', 'a')))).toBe('ba')
})

test('the first page fetched again leads on as it says', () => {
  expect(withNewest(page('cba', 'a'), page('dcba', 'a')).nextCursor).toBe('a')
})

test('older ones follow, none twice', () => {
  const merged = withOlder(page('dc', 'c'), page('cba', null))
  expect(ids(merged)).toBe('dcba')
  expect(merged.nextCursor).toBeNull()
})
