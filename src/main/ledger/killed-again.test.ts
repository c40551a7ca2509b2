import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { StorageError } from '../files/storage-error.ts'
import { encodeBody } from './line.ts'
import type { SealStore } from './seal.ts'
import { noteEvent, thumb } from './testing/sample-events.ts'
import { sealedLedger } from './testing/sealed-ledger.ts'
import { verifyLedger } from './verify.ts'

/*
 * Hosts that are killed, and killed again before they could seal anything. That is not tampering and must not be reported, but making a
 * seal look unwritable must be.
 */

let directory: string
let sealed: ReturnType<typeof sealedLedger>

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-killed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  directory = join(folder, 'data/workspaces/one')
  sealed = sealedLedger(folder, directory)
  const ledger = await sealed.open()
  await ledger.append(noteEvent('first'))
  await ledger.close()
})

const started: EventBody = { type: 'day-rolled' }
const NOTHING = { start: [], doctor: [] }

const refusal = (code: string) => () => Promise.reject(new StorageError('refused', directory, code))
/** Returns a store without room for a new seal; writing in place needs none. */
const onFullDisk = (): SealStore => ({ ...sealed.seals(), write: refusal('ENOSPC') })

/** Leaves the folder as a kill does at some moment while these are recorded, each as one append. */
async function killedAt(
  store: SealStore,
  moment: 'announced' | 'marking',
  nth: number,
  ...events: readonly EventBody[]
): Promise<void> {
  const seen = { announced: 0, marking: 0 }
  let left: string | null = null
  const announce: SealStore['announce'] = async (place, text, isRecorded) => {
    const now = isRecorded ? 'marking' : 'announced'
    const isThere = isRecorded || (await store.announce(place, text, isRecorded))
    seen[now] += 1
    if (now === moment && seen[now] === nth) left = sealed.keepAs(`left-${process.hrtime.bigint()}`)
    return isRecorded ? store.announce(place, text, isRecorded) : isThere
  }
  const ledger = await sealed.open({ seals: { ...store, announce } })
  for (const event of events) await ledger.append(event)
  await ledger.close()
  if (left === null) throw new Error('that moment did not come')
  sealed.putBack(left)
}

describe('a host', () => {
  it.each([
    ['cannot seal anything', onFullDisk],
    [
      'cannot read the seal at its start',
      () => {
        let reads = 0
        const read: SealStore['read'] = () => (reads++ === 0 ? refusal('EMFILE')() : sealed.seals().read())
        return { ...onFullDisk(), read }
      },
    ],
  ])(
    'that is killed before its mark, and again by the next one that %s, reports nothing',
    async (_, store) => {
      await killedAt(onFullDisk(), 'marking', 3, thumb, thumb, thumb)
      expect(sealed.lines()).toHaveLength(4)
      await killedAt(store(), 'announced', 1, thumb)
      expect(sealed.lines()).toHaveLength(4)
      expect(await sealed.findings()).toEqual(NOTHING)
    },
  )

  it('that is killed during an append, and again once the next one has begun, reports nothing', async () => {
    const ledger = await sealed.open()
    const before = sealed.lines().length
    let left = ''
    await ledger.append(started)
    const announce: SealStore['announce'] = async (place, text, isRecorded) => {
      const isThere = await sealed.seals().announce(place, text, isRecorded)
      if (!isRecorded) left = sealed.keepAs('announced')
      return isThere
    }
    await ledger.close()
    const cut = await sealed.open({ seals: { ...sealed.seals(), announce } })
    await cut.append(thumb, thumb, thumb)
    await cut.close()
    const whole = sealed.lines()
    sealed.putBack(left)
    writeFileSync(
      sealed.segment,
      `${whole.slice(0, before + 2).join('\n')}\n${whole[before + 2]?.slice(0, 40)}`,
    )
    // Its first event is not announced, and is there before anything is sealed.
    const next = await sealed.open({ seals: onFullDisk() })
    for (const event of [started, started, started]) await next.append(event)
    const killed = sealed.keepAs('killed')
    await next.close()
    sealed.putBack(killed)
    expect(sealed.lines()).toHaveLength(before + 5)
    expect(await sealed.findings()).toEqual(NOTHING)
  })

  it('that is killed during an append of an event for each of many tasks reports nothing', async () => {
    const many = Array.from({ length: 1200 }, () => thumb)
    let left = ''
    const announce: SealStore['announce'] = async (place, text, isRecorded) => {
      const isThere = await sealed.seals().announce(place, text, isRecorded)
      if (!isRecorded) left = sealed.keepAs('left')
      return isThere
    }
    const ledger = await sealed.open({ seals: { ...sealed.seals(), announce } })
    await ledger.append(...many)
    await ledger.close()
    const whole = readFileSync(sealed.segment, 'utf8').split('\n')
    sealed.putBack(left)
    writeFileSync(sealed.segment, `${whole.slice(0, 11).join('\n')}\n`)
    expect(await sealed.findings()).toEqual(NOTHING)
  })
})

describe('a seal that is not written to', () => {
  const readOnly = (): SealStore => ({
    ...sealed.seals(),
    ...{ announce: refusal('EROFS'), write: refusal('EROFS'), reopen: refusal('EROFS') },
    isWritable: async () => false,
  })

  /** Leaves what a killed host recorded while its disk was read-only. */
  async function recordedUnannounced(): Promise<void> {
    const ledger = await sealed.open()
    await ledger.append(noteEvent('while it ran'))
    const left = sealed.keepAs('left')
    await ledger.close()
    sealed.putBack(left)
    sealed.forge(encodeBody(thumb))
  }
  const toldBy = async (store: SealStore) => {
    const doctor = await verifyLedger(directory, store)
    const ledger = await sealed.open({ seals: store })
    const start = ledger.broken()
    await ledger.close()
    return { start, doctor: doctor.problems.map(({ message }) => message) }
  }

  it('because it cannot be is not reported, neither at a start nor by `doctor`', async () => {
    await recordedUnannounced()
    expect(await toldBy(readOnly())).toEqual(NOTHING)
  })

  it('but was when the record was closed makes both report what follows its end', async () => {
    sealed.forge(encodeBody(thumb))
    const { start, doctor } = await toldBy(readOnly())
    expect(start).toEqual([expect.stringContaining('was closed with event 1, but 1 more follows')])
    expect(doctor).toEqual(start)
  })

  it('because someone made it unwritable, both report what was not announced', async () => {
    await recordedUnannounced()
    const forbidden: SealStore = {
      ...sealed.seals(),
      announce: refusal('EACCES'),
    }
    const { start, doctor } = await toldBy(forbidden)
    expect(start).toEqual([expect.stringContaining('event 3 (feedback-given) was not announced')])
    expect(doctor).toEqual(start)
  })

  it('because its whole folder is unwritable is not reported, since no one could have announced anything', async () => {
    await recordedUnannounced()
    const forbidden: SealStore = {
      ...readOnly(),
      ...{ announce: refusal('EACCES'), write: refusal('EACCES') },
    }
    expect(await toldBy(forbidden)).toEqual(NOTHING)
  })
})
