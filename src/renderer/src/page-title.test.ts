import { expect, test } from 'vitest'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { pageTitle } from './page-title.ts'

const workspace = (name: string, score: number): Workspace =>
  ({ id: name, name, shield: score < 0 ? 'lockdown' : 'none', score: { score } }) as Workspace

test('the title names the workspace with the worst standing, with its score', () => {
  expect(pageTitle([workspace('calm', 12), workspace('inbox', -87)])).toBe('−87 inbox – Pulseward')
  expect(pageTitle([])).toBe('Pulseward')
})

test('what is on screen is named first, and once', () => {
  const workspaces = [workspace('calm', 12), workspace('inbox', -87)]
  expect(pageTitle(workspaces, { id: 'calm' })).toBe('+12 calm · −87 inbox – Pulseward')
  expect(pageTitle(workspaces, { id: 'inbox' })).toBe('−87 inbox – Pulseward')
  expect(pageTitle(workspaces, { screen: 'Settings' })).toBe('Settings · −87 inbox – Pulseward')
  expect(pageTitle([], { screen: 'Settings' })).toBe('Settings – Pulseward')
})

test('a name that runs from right to left does not turn the score around', () => {
  expect(pageTitle([workspace('بريد', 5)])).toBe('+5 \u200e\u2068بريد\u2069 – Pulseward')
})
