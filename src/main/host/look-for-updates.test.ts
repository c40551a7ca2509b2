import { expect, it } from 'vitest'
import type { Settings } from '../../api/schemas/settings.ts'
import type { UpdateStatus } from '../../core/update/status.ts'
import { lookIfDue } from './look-for-updates.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const DAY_MS = 86_400_000
const NEWER = { version: '0.2.0', date: '2026-11-20', changes: '' }

/** Returns how many checks a setting leads to, and the notifications, if the last check was some days ago. */
async function looking(wanted: Settings['lookForUpdates'], daysAgo: number | null, fails = false) {
  const told: string[] = []
  const warned: string[] = []
  let looks = 0
  const status: UpdateStatus = {
    version: '0.1.0',
    form: 'deb',
    feed: 'https://pulseward.example/feed.json',
    checkedAt: daysAgo === null ? null : new Date(NOW - daysAgo * DAY_MS).toISOString(),
    problem: null,
    newer: [NEWER],
    before: null,
  }
  await lookIfDue({
    updates: {
      status: async () => status,
      check: async () => {
        looks += 1
        if (fails) throw new Error('not signed')
        return status
      },
    },
    wanted: () => wanted,
    notifier: { notify: ({ key }) => void told.push(key) },
    clock: { nowMs: () => NOW, sleep: async () => {} },
    log: { info: () => {}, warn: (message) => void warned.push(message), error: () => {} },
  })
  return { looks, told, warned: warned.length }
}

it.for([
  ['never', null, 0],
  ['never', 900, 0],
  ['daily', null, 1],
  ['daily', 0.9, 0],
  ['daily', 1, 1],
  ['weekly', 6.9, 0],
  ['weekly', 7, 1],
] as const)('looks %s, with the latest check %s days ago: %s', async ([wanted, daysAgo, looks]) => {
  expect(await looking(wanted, daysAgo)).toEqual({
    looks,
    told: looks === 1 ? ['update-0.2.0'] : [],
    warned: 0,
  })
})

it('does not notify of an invalid feed, and continues', async () => {
  expect(await looking('daily', null, true)).toEqual({ looks: 1, told: [], warned: 1 })
})
