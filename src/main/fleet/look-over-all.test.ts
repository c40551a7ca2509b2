import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { SEEDED } from '../testing/seeded-workspaces.ts'
import type { TemporaryHost } from '../testing/temporary-host.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryFleet, temporaryFleet } from './testing/temporary-fleet.ts'

/* Checks what is built from all hosts: the document of their timelines, their figures, and the notification of changes. */

const PATIENCE_MS = 240_000

describe.skipIf(natsServer === null)(
  `an overview of all hosts (${NATS})`,
  { timeout: 2 * PATIENCE_MS },
  () => {
    let fleet: TemporaryFleet

    beforeEach(async () => {
      fleet = await temporaryFleet()
    })
    afterEach(() => fleet.remove())

    const whole = async (document: Promise<AsyncIterable<string>>): Promise<string> => {
      let text = ''
      for await (const piece of await document) text += piece
      return text
    }
    /** Waits until the center has everything that a host says it recorded. */
    const shipped = (centre: TemporaryHost, host: TemporaryHost): Promise<void> =>
      vi.waitFor(
        async () => {
          const { member } = await host.client.fleet.status()
          const [record] = member?.workspaces ?? []
          expect(record?.seq).toBeGreaterThan(0)
          expect(record?.shippedSeq).toBe(record?.seq)
          const events = (await centre.client.fleet.hosts()).find(
            (each) => each.host === member?.host,
          )?.events
          expect(events).toBe(record?.seq)
        },
        { timeout: PATIENCE_MS, interval: 50 },
      )

    test('the document of all hosts has each entry as its host exports it, plus the host', async () => {
      const centre = await fleet.startCentre()
      const hosts = [await fleet.join('build-1'), await fleet.join('laptop')]
      for (const host of hosts) await shipped(centre, host)
      const all = JSON.parse(await whole(centre.client.fleet.export({})))
      let count = 0
      for (const [index, name] of ['build-1', 'laptop'].entries()) {
        const host = hosts[index]
        if (host === undefined) throw new Error('there are two hosts')
        const workspace = host.id(name)
        const own: object[] = JSON.parse(await whole(host.client.timeline.export({ workspace })))
        expect(own.length).toBeGreaterThan(0)
        count += own.length
        const alone = JSON.parse(await whole(centre.client.fleet.export({ host: name })))
        const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id)
        expect(alone.toSorted(byId)).toEqual(
          own.map((entry) => ({ host: name, workspace, ...(entry as { id: string }) })).toSorted(byId),
        )
      }
      expect(all).toHaveLength(count)

      const { url, token } = centre.server
      const ask = (path: string): Promise<Response> =>
        fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
      const csv = await ask('/api/fleet/timeline/export?format=csv&host=laptop')
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const [heading, first] = (await csv.text()).split('\r\n')
      expect(heading).toMatch(/^host,workspace,id,at,day,kind,/)
      expect(first).toMatch(/^laptop,laptop-/)
      expect((await ask('/api/fleet/timeline/export?format=gossip')).status).toBe(400)
      expect((await ask('/api/fleet/workspace?host=laptop&workspace=elsewhere')).status).toBe(404)

      const metrics = await (await ask('/metrics')).text()
      for (const [index, name] of ['build-1', 'laptop'].entries())
        expect(metrics).toContain(
          `pulseward_fleet_score{host="${name}",workspace="${hosts[index]?.id(name) ?? ''}"} `,
        )
      expect(metrics).toContain('pulseward_fleet_workspaces_left_out 0')
    })

    test('notifies clients when something in the fleet changes, and says in the status that it is a center', async () => {
      const centre = await fleet.startCentre()
      const events = await centre.client.events()
      const next = async (): Promise<LiveEvent> => {
        for (;;) {
          const { value, done } = await events.next()
          if (done === true) throw new Error('the stream ended')
          if (value.type === 'fleet-changed') return value
        }
      }
      const host = await fleet.join('build-1')
      expect(await next()).toEqual({ type: 'fleet-changed' })
      await shipped(centre, host)
      await events.return?.()
      expect((await centre.client.status()).isCentre).toBe(true)
      expect((await host.client.status()).isCentre).toBe(false)
    })

    test('a host that is not a center does not serve that document', async () => {
      const host = await fleet.start({ one: SEEDED.one })
      const { url, token } = host.server
      const answer = await fetch(`${url}/api/fleet/timeline/export`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(409)
      expect(await answer.text()).toContain('not the center of a fleet')
      expect(
        await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text(),
      ).not.toContain('pulseward_fleet')
    })
  },
)
