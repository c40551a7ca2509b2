import { expect, test } from 'vitest'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { pageTitle } from './page-title.ts'

const workspace = (name: string, score: number): Workspace =>
  ({ id: name, name, shield: score < 0 ? 'lockdown' : 'none', score: { score } }) as Workspace

test('names the workspace with the worst standing and its score', () => {
  expect(pageTitle([workspace('calm', 12), workspace('inbox', -87)])).toBe('−87 inbox – Pulseward')
  expect(pageTitle([])).toBe('Pulseward')
})

test('names the current screen first, and only once', () => {
  const workspaces = [workspace('calm', 12), workspace('inbox', -87)]
  expect(pageTitle(workspaces, { id: 'calm' })).toBe('+12 calm · −87 inbox – Pulseward')
  expect(pageTitle(workspaces, { id: 'inbox' })).toBe('−87 inbox – Pulseward')
  expect(pageTitle(workspaces, { screen: 'Settings' })).toBe('Settings · −87 inbox – Pulseward')
  expect(pageTitle([], { screen: 'Settings' })).toBe('Settings – Pulseward')
})

test('keeps the score readable after a name that runs from right to left', () => {
  expect(pageTitle([workspace('بريد', 5)])).toBe('+5 \u200e\u2068بريد\u2069 – Pulseward')
})
