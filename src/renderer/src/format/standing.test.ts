import { expect, test } from 'vitest'
import type { Workspace } from '../../../core/read-model/workspace.ts'
import { worstWorkspace } from './standing.ts'

function workspace(name: string, shield: Workspace['shield'], score: number): Workspace {
  return { name, shield, score: { score } } as Workspace
}

test('finds the worst standing, and among equals the lower score', () => {
  const workspaces = [
    workspace('fine', 'outstanding', -5),
    workspace('paused', 'paused', -90),
    workspace('low', 'warning', 12),
    workspace('lower', 'warning', 11),
  ]
  expect(worstWorkspace(workspaces)?.name).toBe('lower')
})

test('puts a workspace suspended for review before every other', () => {
  const workspaces = [workspace('locked', 'lockdown', -90), workspace('held', 'suspended', 50)]
  expect(worstWorkspace(workspaces)?.name).toBe('held')
})

test('finds no worst workspace if there are none', () => {
  expect(worstWorkspace([])).toBeUndefined()
})
