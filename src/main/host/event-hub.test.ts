import { expect, test } from 'vitest'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { createEventHub } from './event-hub.ts'

const event: LiveEvent = { type: 'workspaces-changed' }

test('a part of the host receives everything and does not count as a viewer', () => {
  const hub = createEventHub({ info: () => {}, warn: () => {}, error: () => {} })
  const heard: string[] = []
  const unobserve = hub.observe(({ type }) => heard.push(`part ${type}`))
  expect(hub.listenerCount()).toBe(0)
  const unsubscribe = hub.subscribe(({ type }) => heard.push(`page ${type}`))
  expect(hub.listenerCount()).toBe(1)
  hub.emit(event)
  unsubscribe()
  unobserve()
  hub.emit(event)
  expect(heard).toEqual([`part ${event.type}`, `page ${event.type}`])
  expect(hub.listenerCount()).toBe(0)
})
