import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { type NotificationSettings, settingsSchema } from '../../api/schemas/settings.ts'
import type { Notification } from '../ports/notifier.ts'
import { createSimulatedClock } from '../testing/simulated-clock.ts'
import { createNotificationGate } from './notification-gate.ts'

const MINUTE = 60_000
const quietHours = { from: '22:00', to: '07:00' }

function gateAt(
  time: string,
  over: { quietHours?: typeof quietHours; kinds?: Record<string, boolean> } = {},
) {
  let settings: NotificationSettings = settingsSchema.parse({ notifications: over }).notifications
  const shown: Notification[] = []
  const events: LiveEvent[] = []
  const clock = createSimulatedClock(DateTime.fromISO(`2026-11-20T${time}`).toMillis())
  const gate = createNotificationGate({
    notifier: { notify: (notification) => shown.push(notification) },
    emit: (event) => events.push(event),
    clock,
    settings: () => settings,
  })
  const change = (changes: Partial<NotificationSettings>): void => {
    settings = { ...settings, ...changes }
    gate.settingsChanged()
  }
  return { gate, shown, events, clock, change }
}

const about = (key: string, over: Partial<Notification> = {}): Notification => ({
  key,
  about: 'lockdown',
  workspaceId: 'w',
  title: `title of ${key}`,
  body: 'body',
  ...over,
})

test('a notification that quotes a text contains no secret', () => {
  const { gate, shown, events } = gateAt('12:00')
  const secret = ['sk_', 'live_', '4eC39HqLyjWDarjtT1zdp7dc'].join('')
  gate.notify(about('a', { title: `measured ${secret}`, body: `it said ${secret}` }))
  expect(JSON.stringify([shown, events])).not.toContain(secret)
  expect(shown[0]?.body).toBe('it said [Stripe key hidden]')
})

test('each key is notified once, to the operator and to connected pages', () => {
  const { gate, shown, events } = gateAt('12:00')
  gate.notify(about('a', { about: 'blockedTask', taskId: 'sweep' }))
  gate.notify(about('a'))
  gate.notify(about('b'))
  expect(shown.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(events).toMatchObject([
    { type: 'notification', workspace: 'w', about: 'blockedTask', task: 'sweep', title: 'title of a' },
    { about: 'lockdown', task: null },
  ])
})

test('does not send a kind that is turned off, but sends the others', () => {
  const { gate, shown, events } = gateAt('12:00', { kinds: { lockdown: false } })
  gate.notify(about('a'))
  gate.notify(about('b', { about: 'suspension' }))
  gate.notify(about('c', { about: 'trouble' }))
  expect(shown.map(({ key }) => key)).toEqual(['b', 'c'])
  expect(events).toHaveLength(2)
})

test('what arrives in quiet hours is sent as one notification when they end; pages get it immediately', async () => {
  const { gate, shown, events, clock } = gateAt('23:00', { quietHours })
  for (const key of ['a', 'b', 'c', 'd', 'e']) gate.notify(about(key))
  expect(events).toHaveLength(5)
  await clock.advance(8 * 60 * MINUTE - 1)
  expect(shown).toEqual([])
  // Not awaited, because nothing sleeps after it.
  void clock.advance(1)
  await expect.poll(() => shown.length).toBe(1)
  expect(shown).toMatchObject([
    {
      workspaceId: 'w',
      title: '5 notifications came in the quiet hours',
      body: 'title of a\ntitle of b\ntitle of c\ntitle of d\nand 1 more',
    },
  ])
})

test('a single notification is sent unchanged, and a summary of several workspaces links to none', async () => {
  const alone = gateAt('23:00', { quietHours })
  alone.gate.notify(about('a'))
  await alone.gate.stop()
  expect(alone.shown).toMatchObject([{ key: 'a', title: 'title of a' }])

  const several = gateAt('23:00', { quietHours })
  several.gate.notify(about('a'))
  several.gate.notify(about('b', { workspaceId: 'v' }))
  await several.gate.stop()
  expect(several.shown).toMatchObject([{ workspaceId: '' }])
})

test('turning quiet hours off before they end releases the delayed notifications', async () => {
  const { gate, shown, change } = gateAt('23:00', { quietHours })
  gate.notify(about('a'))
  change({ quietHours: null })
  await expect.poll(() => shown.length).toBe(1)
  gate.notify(about('b'))
  expect(shown.map(({ key }) => key)).toEqual(['a', 'b'])
  await gate.stop()
  expect(shown).toHaveLength(2)
})

test('a machine that slept through the end of the quiet hours notifies soon after it wakes, not hours later', async () => {
  const { gate, shown, clock } = gateAt('23:00', { quietHours })
  gate.notify(about('a'))
  clock.suspend(10 * 60 * MINUTE)
  expect(shown).toEqual([])
  // Not awaited, because nothing sleeps after it.
  void clock.advance(MINUTE)
  await expect.poll(() => shown.map(({ key }) => key)).toEqual(['a'])
})
