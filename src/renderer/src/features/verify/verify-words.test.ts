import { describe, expect, it, test } from 'vitest'
import type { ChangeRequest } from '../../../../api/procedures/changes.ts'
import {
  choiceOf,
  claimsOf,
  comparedWords,
  NOTHING_CHOSEN,
  reasonsOf,
  requestOf,
  shortName,
  shownChange,
  TYPED,
  WORK_TREE,
} from './verify-words.ts'

const BRANCHES = {
  top: '/repo',
  current: 'refs/heads/feature',
  base: 'refs/heads/main',
  local: ['refs/heads/main', 'refs/heads/feature'],
  remote: ['refs/remotes/origin/main'],
  hasMore: false,
}
const PLAIN: ChangeRequest = { worktree: false, measure: true, claims: '' }

describe('the form', () => {
  it.each<readonly [string, ChangeRequest]>([
    ['the defaults', PLAIN],
    ['branches', { ...PLAIN, base: 'refs/remotes/origin/main', head: 'refs/heads/feature' }],
    ['typed revisions', { ...PLAIN, base: 'v1.0', head: 'a1b2c3' }],
    ['the work tree', { ...PLAIN, worktree: true }],
    ['a description, custody only', { ...PLAIN, measure: false, claims: 'Adds `x`.' }],
  ])('repeats a request for %s unchanged', (_title, request) => {
    expect(requestOf(choiceOf(request, BRANCHES))).toEqual(request)
  })

  it('shows a deleted branch as typed', () => {
    expect(choiceOf({ ...PLAIN, head: 'refs/heads/gone' }, BRANCHES)).toMatchObject({
      head: TYPED,
      typedHead: 'refs/heads/gone',
    })
  })

  it('treats a revision left empty as the default', () => {
    expect(requestOf({ ...NOTHING_CHOSEN, base: TYPED, typedBase: '  ', head: WORK_TREE })).toEqual({
      ...PLAIN,
      worktree: true,
    })
  })
})

test('shows a change as held before its verdict, and shows nothing if it was not judged', () => {
  const change = { applicable: true, held: false, groundTruthContradiction: false, fault: null } as const
  expect(shownChange({ ...change, verdict: 'verified' })).toBe('verified')
  expect(shownChange({ ...change, verdict: 'unclear', held: true })).toBe('held')
  expect(shownChange({ ...change, verdict: 'not_verified', groundTruthContradiction: true })).toBe(
    'contradiction',
  )
  expect(shownChange({ ...change, verdict: null, fault: 'environment' })).toBe('environment')
  expect(shownChange({ ...change, applicable: false, verdict: null })).toBeNull()
})

test('lists a claim that was not measured as unread, never next to a measurement', () => {
  const file = { kind: 'file', text: 'Adds `a`.', subject: 'a', claimed: 'added' } as const
  const tests = { kind: 'tests-pass', text: 'All tests pass.', subject: '', claimed: 'pass' } as const
  const issue = { kind: 'issue', text: 'Fixes #1.', subject: '#1', claimed: 'fixed' } as const
  const claims = [
    { ...file, measured: 'not there', equal: false },
    { ...file, measured: 'not there', equal: false },
    { ...tests, measured: '3 passed', equal: true },
    { ...issue, measured: null, equal: null },
  ]
  expect(claimsOf({ claims })).toEqual({
    compared: [
      { subject: 'a', claimed: 'added', measured: 'not there', agrees: false },
      { subject: 'tests', claimed: 'pass', measured: '3 passed', agrees: true },
    ],
    unread: ['Fixes #1.'],
  })
})

test('shows a contradiction once, next to its measurement', () => {
  const claim = { kind: 'file', text: '', subject: 'a', claimed: 'added', measured: 'no such file' } as const
  const reasons = ['a: claimed "added", measured: no such file', 'b: another reason']
  expect(reasonsOf({ reasons, claims: [{ ...claim, equal: false }] })).toEqual(['b: another reason'])
  expect(reasonsOf({ reasons, claims: [{ ...claim, measured: 'other', equal: false }] })).toEqual(reasons)
})

test('names branches the way people do', () => {
  expect(['refs/heads/a/b', 'refs/remotes/origin/main', 'v1'].map(shortName)).toEqual([
    'a/b',
    'origin/main',
    'v1',
  ])
  expect(comparedWords({ ...PLAIN, head: 'refs/heads/x' }, BRANCHES)).toBe('x against main')
  expect(comparedWords({ ...PLAIN, worktree: true, base: 'v1' }, BRANCHES)).toBe('the work tree against v1')
})

test('names what was compared by default once it is known', () => {
  const change = { head: { commit: 'a', tree: 'b', dirty: false } }
  expect(comparedWords(PLAIN, BRANCHES)).toBe('the latest work against main')
  expect(comparedWords(PLAIN, BRANCHES, change)).toBe('feature against main')
  expect(comparedWords(PLAIN, BRANCHES, { head: { ...change.head, dirty: true } })).toBe(
    'the work tree against main',
  )
})
