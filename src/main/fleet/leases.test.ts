import { jetstream } from '@nats-io/jetstream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { leaseAskSubject, leaseSubject } from '../../core/fleet/names.ts'
import type { LeaseTerms, WorkLease } from '../ports/work-lease.ts'
import { createSimulatedClock, type SimulatedClock } from '../testing/simulated-clock.ts'
import { connectHub } from './connect-hub.ts'
import { type LeaseLink, Leases } from './leases.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const shared = (leaseSeconds = 60, leaseLabels: readonly string[] = []): LeaseTerms => ({
  lease: 'org/repository',
  leaseLabels,
  leaseSeconds,
})

const NAMES = ['one', 'two', 'three', 'four']

interface Contender {
  readonly leases: Leases
  readonly lease: WorkLease
  /** The leases that this host reported as lost. */
  readonly lost: unknown[]
  link(): LeaseLink
  /** Makes the host send nothing, like a sleeping machine. */
  sleeps(isAsleep: boolean): void
  cutOff(): Promise<void>
}

describe.skipIf(natsServer === null)(`leases of shared work (${NATS})`, () => {
  let hub: TemporaryHub
  let contenders: Contender[] = []
  let clock: SimulatedClock

  beforeEach(async () => {
    clock = createSimulatedClock(0)
    hub = await temporaryHub(clock)
    contenders = []
  })
  afterEach(async () => {
    for (const { leases, cutOff } of contenders) {
      await leases.stop()
      await cutOff()
    }
    await hub.remove()
  })

  const contender = async (host: string, labels: readonly string[] = [], nowMs = 0): Promise<Contender> => {
    const pass = await hub.pass(host)
    await hub.prepare(host)
    const connection = await connectHub(pass)
    const reached: LeaseLink = { connection, host, instance: host, labels }
    let link: LeaseLink | string = reached
    const lost: unknown[] = []
    const leases = new Leases({
      onLost: (one) => void lost.push(one),
      // Wall-clock time must have no effect.
      clock: { ...clock, nowMs: () => nowMs },
      log: SILENT,
      link: () => link,
    })
    const one: Contender = {
      leases,
      lease: leases.of(`${host}-workspace`),
      lost,
      link: () => reached,
      sleeps: (isAsleep) => {
        link = isAsleep ? 'It sleeps.' : reached
      },
      cutOff: async () => {
        link = 'The hub cannot be asked.'
        await connection.close()
      },
    }
    contenders.push(one)
    return one
  }

  test('if several hosts ask at once, one gets the lease and the others learn which', async () => {
    const all: Contender[] = []
    for (const host of NAMES) all.push(await contender(host))
    const answers = await Promise.all(all.map(({ lease }) => lease.hold(shared(), 0)))
    const winner = answers.findIndex(({ kind }) => kind === 'held')
    expect(answers.filter(({ kind }) => kind === 'held')).toHaveLength(1)
    expect(all.map(({ lease }) => lease.epoch)).toEqual(all.map((_, index) => (index === winner ? 1 : null)))
    const again = await Promise.all(all.map(({ lease }) => lease.hold(shared(), 0)))
    for (const [index, answer] of again.entries())
      if (index !== winner) expect(answer).toMatchObject({ kind: 'kept', holder: NAMES[winner] })
  })

  test('a released lease is granted at once, with the next epoch', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    await one.lease.hold(shared(), 0)
    await one.lease.release()
    expect(await two.lease.hold(shared(), 0)).toEqual({ kind: 'held' })
    expect([one.lease.epoch, two.lease.epoch]).toEqual([null, 2])
  })

  test('a disconnected holder keeps the others away until its attempt must have ended, and starts no other attempt', async () => {
    const [one, two] = [await contender('one'), await contender('two', [], 3_600_000)]
    expect(await one.lease.hold(shared(1), 4_000)).toEqual({ kind: 'held' })
    expect(await two.lease.hold(shared(1), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
    await one.cutOff()
    expect(await one.lease.hold(shared(1), 4_000)).toMatchObject({ kind: 'kept', holder: null })
    await clock.advance(3_999)
    expect(await two.lease.hold(shared(1), 0)).toMatchObject({ kind: 'kept', holder: 'one', againMs: 1 })
    await clock.advance(1)
    expect(await two.lease.hold(shared(1), 0)).toEqual({ kind: 'held' })
    expect(two.lease.epoch).toBe(2)
  })

  test('while its holder renews a lease, no one else gets it, however short it is', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    await one.lease.hold(shared(1), 0)
    for (let each = 0; each < 30; each += 1) {
      await clock.advance(200)
      expect(await two.lease.hold(shared(1), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
    }
    expect(one.lease.epoch).toBe(1)
  })

  test('a second machine with the same token is another host; the same machine after a restart is not', async () => {
    const one = await contender('one')
    await one.lease.hold(shared(), 60_000)
    const { connection, ...own } = one.link()
    const asWell = (instance: string): WorkLease =>
      new Leases({
        clock,
        log: SILENT,
        link: () => ({ ...own, connection, instance }),
      }).of('other')
    expect(await asWell('a copy').hold(shared(), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
    expect(await asWell('one').hold(shared(), 0)).toEqual({ kind: 'held' })
  })

  test('a host without the required labels does not ask', async () => {
    const [plain, strong] = [await contender('plain', ['linux']), await contender('strong', ['linux', 'gpu'])]
    expect(await plain.lease.hold(shared(60, ['gpu']), 0)).toMatchObject({
      kind: 'kept',
      reason: expect.stringContaining('gpu'),
    })
    expect(await strong.lease.hold(shared(60, ['gpu']), 0)).toEqual({ kind: 'held' })
  })

  test('a host cannot take work from another, whatever its key writes; the center reports it', async () => {
    const [one, thief] = [await contender('one'), await contender('thief')]
    expect(await one.lease.hold(shared(), 60_000)).toEqual({ kind: 'held' })
    const { connection } = thief.link()
    const denied: string[] = []
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') denied.push(String(status.error.message))
    })()
    const lease = { v: 1, holder: 'thief', instance: 'thief', epoch: 204, ttlMs: 100 }
    connection.publish(leaseSubject('org/repository'), JSON.stringify(lease))
    // This is not allowed even in another host's name.
    connection.publish(leaseAskSubject('one'), '{}')
    connection.publish(leaseAskSubject('thief'), 'junk')
    await expect.poll(() => hub.findings).toMatchObject([{ host: 'thief' }])
    await expect.poll(() => denied.length).toBe(2)
    for (const action of ['take', 'renew', 'release'] as const) {
      const asked = { v: 1, name: 'org/repository', instance: 'one', action, epoch: 1, ttlMs: 1 }
      const answer = await connection.request(leaseAskSubject('thief'), JSON.stringify(asked), {
        timeout: 5_000,
      })
      expect(answer.json()).toMatchObject({ kind: action === 'release' ? 'released' : 'kept' })
    }
    await clock.advance(59_000)
    expect(await thief.lease.hold(shared(), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
    expect(await one.lease.hold(shared(), 60_000)).toEqual({ kind: 'held' })
    expect(one.lease.epoch).toBe(1)
  })

  test('an invalid lease does not lower the epoch, even right after the arbiter starts, and is reported', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    const centre = await hub.connect()
    try {
      for (let each = 0; each < 3; each += 1) {
        await one.lease.hold(shared(), 0)
        await one.lease.release()
      }
      await one.lease.hold(shared(), 60_000)
      expect(one.lease.epoch).toBe(4)
      for (const junk of [
        'junk',
        JSON.stringify({ v: 1, holder: null, instance: 'x', epoch: 1, ttlMs: 1 }),
      ]) {
        await jetstream(centre).publish(leaseSubject('org/repository'), junk)
        expect(await two.lease.hold(shared(), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
        expect(await one.lease.hold(shared(), 60_000)).toEqual({ kind: 'held' })
      }
      expect(one.lease.epoch).toBe(4)
      expect(hub.findings).toMatchObject([{ host: null }, { host: null }])
      await jetstream(centre).publish(leaseSubject('org/repository'), 'junk')
      await hub.forgetLeases()
      expect(await two.lease.hold(shared(), 0)).toEqual({ kind: 'held' })
      expect(two.lease.epoch).toBeGreaterThan(4)
    } finally {
      await centre.close()
    }
  })

  test('a host that lost its lease while working reports it', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    expect(await one.lease.hold(shared(), 0)).toEqual({ kind: 'held' })
    // The host slept: it renewed nothing, and the other host waited long enough.
    one.sleeps(true)
    await clock.advance(61_000)
    expect(await two.lease.hold(shared(), 0)).toEqual({ kind: 'held' })
    one.sleeps(false)
    expect(await one.lease.hold(shared(), 0)).toMatchObject({ kind: 'kept', holder: 'two' })
    expect(one.lost).toEqual([{ name: 'org/repository', workspace: 'one-workspace', holder: 'two' }])
    expect(two.lost).toEqual([])
  })

  test('work that is not shared needs no lease', async () => {
    const one = await contender('one')
    await one.cutOff()
    expect(await one.lease.hold({ ...shared(), lease: null }, 0)).toEqual({ kind: 'held' })
    expect(one.lease.epoch).toBeNull()
  })
})
