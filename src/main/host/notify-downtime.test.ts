import { expect, test } from 'vitest'
import type { Notification } from '../ports/notifier.ts'
import { type MissingWorkspace, notifyDowntime } from './notify-downtime.ts'

const nowMs = Date.parse('2026-11-20T08:00:00Z')
const MINUTE = 60_000

function workspace(
  name: string,
  dueMinutesAgo: number | null,
  lastCycleAt: string | null = '2026-11-19T20:00:00Z',
) {
  const dueMs = dueMinutesAgo === null ? null : nowMs - dueMinutesAgo * MINUTE
  return {
    name,
    ledger: { state: { lastCycleAt } },
    loop: { next: { dueMs }, standing: { intervalMinutes: 15 } },
  }
}

function told(...workspaces: MissingWorkspace[]): readonly Notification[] {
  const notifications: Notification[] = []
  notifyDowntime(workspaces, nowMs, { notify: (each) => void notifications.push(each) })
  return notifications
}

test('notifies once, for all workspaces, of heartbeats missed while Pulseward was not running', () => {
  const [only, ...others] = told(workspace('a', 60), workspace('b', 15), workspace('c', -3))
  expect(others).toEqual([])
  expect(only?.title).toBe('Pulseward was not running: 7 heartbeats were missed')
  expect(only?.body).toContain('(a, b)')
})

test('does not notify about a start on time, a pause, or a workspace that never ran', () => {
  expect(told(workspace('a', 0.5), workspace('b', null), workspace('c', 600, null))).toEqual([])
})
