import { expect, it } from 'vitest'
import { isOwnToolName } from './own-tools.ts'

it.each([
  'mcp__pulseward__report_task',
  'pulseward_report_task',
  'pulseward.get_score',
  'pulseward/get_contract',
  'report_task (pulseward MCP Server)',
])('%s is one of our tools', (name) => {
  expect(isOwnToolName(name)).toBe(true)
})

it.each([
  'report_task',
  'mcp__pulseward__rm',
  'mcp__pulseward-evil__report_task',
  'Bash',
  'x pulseward_report_task',
])('%s is not', (name) => {
  expect(isOwnToolName(name)).toBe(false)
})
