import { expect, test } from 'vitest'
import { asksGit, isGitRule, listingAfterOperator, listingOf, namesLost } from './git-view.ts'

test('reports names that the baseline showed and git no longer shows', () => {
  expect(namesLost(listingOf(['b', 'a', 'c']), listingOf(['a', 'd']))).toEqual(['b', 'c'])
  expect(namesLost(null, listingOf(['a']))).toEqual([])
  expect(namesLost(listingOf(['a']), null)).toEqual(['a'])
})

test('applies the operator’s own changes to the baseline, and still finds what an agent removed', () => {
  const base = listingOf(['a', 'b', 'c'])
  const expected = listingOf(['a', 'c', 'new'])
  expect(listingAfterOperator(base, expected, listingOf(['a', 'new', 'mine']))).toBe('a\nb\nmine')
  expect(listingAfterOperator(base, base, listingOf(['a']))).toBe('a')
  expect(listingAfterOperator(base, null, listingOf(['a', 'z']))).toBe('a\nb\nc\nz')
})

test.each([
  ['git itself asks git', { kind: 'program', path: '/usr/bin/git' } as const, true],
  ['a linter that reads .gitignore asks git', { kind: 'program', path: 'ruff' } as const, true],
  ['a program of another name', { kind: 'program', path: 'digit' } as const, false],
  ['a script that runs git asks git', { kind: 'script', path: 'ask.py' } as const, true],
  ['another script does not ask git', { kind: 'script', path: 'other.py' } as const, false],
])('%s', (_name, instrument, asks) => {
  const read = (path: string) => (path === 'ask.py' ? "run(['git', 'ls-files'])" : 'digits = 1')
  expect(asksGit([instrument], read)).toBe(asks)
})

test.each([
  ['.gitignore', true],
  ['src/.gitattributes', true],
  ['.git/info/exclude', true],
  ['src/gitignore.md', false],
  ['.git/HEAD', false],
])('tells whether %s is a rule: %s', (path, isRule) => {
  expect(isGitRule(path)).toBe(isRule)
})

test.each([
  ['[ -z "$(git status --porcelain)" ]', true],
  ['test -z "`git diff`"', true],
  ['echo git', false],
])('decides whether a command with the word %s queries git: %s', (word, asks) => {
  expect(asksGit([], () => null, [['sh', '-c', word]])).toBe(asks)
})
