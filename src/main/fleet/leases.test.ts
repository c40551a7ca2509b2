import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
  link(): LeaseLink
  cutOff(): Promise<void>
}

describe.skipIf(natsServer === null)(`leases of shared work (${NATS})`, () => {
  let hub: TemporaryHub
  let contenders: Contender[] = []
  let clock: SimulatedClock

  beforeEach(async () => {
    hub = await temporaryHub()
    clock = createSimulatedClock(0)
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
    const leases = new Leases({
      // Nobody's time of day counts.
      clock: { ...clock, nowMs: () => nowMs },
      log: SILENT,
      link: () => link,
    })
    const one: Contender = {
      leases,
      lease: leases.of(`${host}-workspace`),
      link: () => reached,
      cutOff: async () => {
        link = 'The hub cannot be asked.'
        await connection.close()
      },
    }
    contenders.push(one)
    return one
  }

  test('of all that want it at once one gets it, and the others are told who has it', async () => {
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

  test('one that gives it back is followed at once, by the next epoch', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    await one.lease.hold(shared(), 0)
    await one.lease.release()
    expect(await two.lease.hold(shared(), 0)).toEqual({ kind: 'held' })
    expect([one.lease.epoch, two.lease.epoch]).toEqual([null, 2])
  })

  test('a holder that is cut off keeps the others away until its attempt may have ended, and begins no other', async () => {
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

  test('as long as its holder renews it nobody else gets it, however short it is', async () => {
    const [one, two] = [await contender('one'), await contender('two')]
    await one.lease.hold(shared(1), 0)
    for (let each = 0; each < 30; each += 1) {
      await clock.advance(200)
      expect(await two.lease.hold(shared(1), 0)).toMatchObject({ kind: 'kept', holder: 'one' })
    }
    expect(one.lease.epoch).toBe(1)
  })

  test('a second machine with the same token is another host; the same one after a restart is not', async () => {
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

  test('a host without the labels that are asked for leaves it alone', async () => {
    const [plain, strong] = [await contender('plain', ['linux']), await contender('strong', ['linux', 'gpu'])]
    expect(await plain.lease.hold(shared(60, ['gpu']), 0)).toMatchObject({
      kind: 'kept',
      reason: expect.stringContaining('gpu'),
    })
    expect(await strong.lease.hold(shared(60, ['gpu']), 0)).toEqual({ kind: 'held' })
  })

  test('work that is not shared asks nobody', async () => {
    const one = await contender('one')
    await one.cutOff()
    expect(await one.lease.hold({ ...shared(), lease: null }, 0)).toEqual({ kind: 'held' })
    expect(one.lease.epoch).toBeNull()
  })
})
