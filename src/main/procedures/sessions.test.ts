import { afterEach, expect, it } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

let host: TemporaryHost
afterEach(() => host.remove())

const started = (sessionId: string): EventBody => ({
  type: 'session-started',
  ...{ sessionId, agent: 'claude', directory: '/one', tree: 'T', sawStart: true },
})
const contradicted = (sessionId: string): EventBody => ({
  type: 'turn-judged',
  ...{ sessionId, agent: 'claude', prompt: '1', mode: 'shadow', verdict: 'not_verified' },
  ...{ contradiction: true, blocked: false, wouldBlock: true, deferred: false, stopped: false },
  ...{ tree: 'T1', cached: false, taskId: null, comparisons: [], said: null, filesChanged: [] },
  ...{ filesChangedCount: 0, durationMs: 1, points: 0, reasons: ['claimed 3, measured 0'] },
})

it.each([
  ['all sessions', undefined],
  ['one session', 'first'],
])('marks the contradictions of %s as seen, even if it is no longer kept', async (_title, session) => {
  const later = Array.from({ length: 60 }, (_, index) => started(`later-${index}`))
  host = await temporaryHost({ one: { events: [started('first'), contradicted('first'), ...later] } })
  const before = await host.client.workspaces.get({ id: host.id('one') })
  expect(before.unreviewed).toBe(1)
  const { sessions } = await host.client.sessions.see({ ...(session !== undefined && { session }) })
  expect(sessions.some(({ sessionId }) => sessionId === 'first')).toBe(false)
  expect((await host.client.workspaces.get({ id: host.id('one') })).unreviewed).toBe(0)
})

it('reports a session that never existed as unknown', async () => {
  host = await temporaryHost({ one: { events: [started('first'), contradicted('first')] } })
  await expect(host.client.sessions.see({ session: 'other' })).rejects.toThrow('no session "other"')
  expect((await host.client.workspaces.get({ id: host.id('one') })).unreviewed).toBe(1)
})
