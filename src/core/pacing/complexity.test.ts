import { expect, it } from 'vitest'
import { type ComplexityKeywords, classifyComplexity } from './complexity.ts'

const levels: ComplexityKeywords = {
  simple: { keywords: ['fix', 'update', 'refactor', 'add'] },
  medium: { keywords: ['test', 'mock', 'fixture'] },
  complex: { keywords: ['CLI', 'command', 'parser'] },
  ui_heavy: { keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'] },
}

it.each([
  ['Fix the typo', 'simple'],
  ['FIX the typo', 'simple'],
  ['Update and refactor', 'simple'],
  ['Write a fixture', 'medium'],
  ['Fix the test', 'medium'],
  ['Prepare the release', 'medium'],
  ['Add a CLI', 'complex'],
  ['Two parsers', 'complex'],
  ['Build a SwiftUI screen', 'ui_heavy'],
  ['Wire the ContentView', 'ui_heavy'],
  ['A UIView for it', 'ui_heavy'],
  ['Three Charts', 'ui_heavy'],
  ['Several UIs', 'ui_heavy'],
  ['Fixes for dashboards', 'ui_heavy'],
  ['Review the guide', 'medium'],
  ['Prefix and address', 'medium'],
  ['add_parser-command', 'complex'],
  ['', 'medium'],
])('%j is %s', (description, level) => {
  expect(classifyComplexity({ id: 'x', description, criteria: [] }, levels)).toBe(level)
})

it.each([
  [3, 'Fix it', 'simple'],
  [4, 'Fix it', 'medium'],
  [4, 'Add a CLI', 'ui_heavy'],
  [9, 'A Dashboard', 'ui_heavy'],
])('with %i acceptance criteria %j is %s', (criteriaCount, description, level) => {
  expect(
    classifyComplexity({ id: 'x', description, criteria: Array(criteriaCount).fill({ text: 'so' }) }, levels),
  ).toBe(level)
})

it('matches keywords of several words', () => {
  const own = { ...levels, complex: { keywords: ['data table'] } }
  expect(classifyComplexity({ id: 'x', description: 'Sort the data tables', criteria: [] }, own)).toBe(
    'complex',
  )
})
