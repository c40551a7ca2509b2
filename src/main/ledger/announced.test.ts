import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { StorageError } from '../files/storage-error.ts'
import { openLedger } from './ledger.ts'
import { encodeBody, encodeLine, hashLine } from './line.ts'
import { type SealStore, sealStore } from './seal.ts'
import { finishedAttempt, noteEvent } from './testing/sample-events.ts'
import { verifyLedger } from './verify.ts'

/*
 * What follows the last seal of a host that was killed: the one who killed it adds to its record, cuts or rewrites it, with fitting
 * hashes; and hosts that were killed at any moment, by nobody who wants anything, are told nothing.
 */

let folder: string
let directory: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-announced-'))
  directory = join(folder, 'data/workspaces/one')
  // Sealed when it is closed, and from there on never again: a killed host's events all stand behind that seal.
  const ledger = await open()
  await ledger.append(noteEvent('first'))
  await ledger.close()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const seals = () => sealStore(directory, join(folder, 'state'), null)

function open(store = seals()) {
  return openLedger({
    directory,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    localDay: () => '2026-01-01',
    timestamp: () => '2026-01-01T00:00:00Z',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    seals: store,
  })
}

const segment = (): string => join(directory, 'ledger/000000000001.jsonl')
const lines = (): string[] => readFileSync(segment(), 'utf8').trimEnd().split('\n')

function forge(body: EventBody, onDay?: string): void {
  const last = lines().at(-1) ?? ''
  const { seq, at, day } = JSON.parse(last)
  const line = encodeLine(
    { seq: seq + 1, at, day: onDay ?? day },
    hashLine(Buffer.from(last)),
    encodeBody(body),
  )
  appendFileSync(segment(), `${line.toString()}\n`)
}

/** What the next start and `doctor` find. */
async function findings(): Promise<{
  readonly start: readonly string[]
  readonly doctor: readonly string[]
}> {
  const doctor = (await verifyLedger(directory, seals())).problems.map(({ message }) => message)
  const ledger = await open()
  const start = ledger.broken()
  await ledger.close()
  return { start, doctor }
}

const thumb: EventBody = {
  type: 'feedback-given',
  feedback: 'up',
  attemptId: null,
  taskId: null,
  note: null,
  points: 3,
}
const refuted = finishedAttempt('refuted', { verdict: 'not_verified', points: -45 })
const overruled: EventBody = {
  type: 'verdict-overruled',
  attemptId: 'refuted',
  taskId: 'check_email',
  attemptDay: '2026-01-01',
  from: 'not_verified',
  fromContradiction: true,
  to: 'verified',
  reason: 'it is fine',
  pointsDelta: 55,
}
const ended: EventBody = { type: 'cycle-finished', cycle: 1, ending: 'completed' }
const NOTHING = { start: [], doctor: [] }

/** The folder as a host leaves it that was killed after it had recorded these. */
async function killedAfter(...events: readonly EventBody[]): Promise<void> {
  const ledger = await open()
  for (const event of events) await ledger.append(event)
  const left = join(folder, 'left')
  for (const name of ['data', 'state']) cpSync(join(folder, name), join(left, name), { recursive: true })
  await ledger.close()
  putBack(left)
}

function putBack(left: string): void {
  for (const name of ['data', 'state']) {
    rmSync(join(folder, name), { recursive: true })
    cpSync(join(left, name), join(folder, name), { recursive: true })
  }
}

describe('who ends the host', () => {
  it.each([
    ['a thumb', thumb],
    ['an overruling', overruled],
    ['a verdict', finishedAttempt('forged')],
    ['the end of a heartbeat', ended],
    ['a word of the operator’s', { type: 'operator-noted', text: 'All is well.', taskId: null } as const],
  ])('and writes %s behind its record is found, until it is answered', async (_, forged) => {
    await killedAfter(noteEvent('while it ran'), refuted, noteEvent('and on'))
    forge(forged)
    const words = `event 5 (${forged.type}) was not announced in its seal: Pulseward has not recorded it, or could not write to the seal then`
    const { start, doctor } = await findings()
    expect(start).toEqual([words])
    expect(doctor).toEqual([words])
    const ledger = await open()
    expect(ledger.broken()).toEqual([words])
    await ledger.accept()
    await ledger.close()
    expect(await findings()).toEqual(NOTHING)
  })

  it('and lets a later day begin behind its record is found', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    forge({ type: 'day-rolled' }, '2099-01-01')
    const words =
      'event 4 (day-rolled) was not announced in its seal: Pulseward has not recorded it, or could not write to the seal then'
    expect(await findings()).toEqual({ start: [words], doctor: [words] })
  })

  it('and writes where an append of several events was cut off, but more than it had, is found', async () => {
    const left = await cutOff(1, noteEvent('quick'), thumb, refuted)
    putBack(left)
    // The first of the two that were announced is missing, and those before are not what was to be announced.
    writeFileSync(segment(), `${lines().slice(0, 1).join('\n')}\n`)
    forge(thumb)
    expect((await findings()).start).toHaveLength(1)
  })

  it('and takes its last verdict out of the record is found', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    writeFileSync(segment(), `${lines().slice(0, -1).join('\n')}\n`)
    const { start, doctor } = await findings()
    const words = 'the ledger ends at event 2, and 3 had been recorded: 1 event is missing'
    expect([start, doctor]).toEqual([[words], [words]])
  })

  it('and writes another verdict in the place of its last one is found', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    writeFileSync(segment(), `${lines().slice(0, -1).join('\n')}\n`)
    forge(finishedAttempt('refuted'))
    const { start, doctor } = await findings()
    const words = 'event 3, or one before it, is not the one that was recorded'
    expect([start, doctor]).toEqual([[words], [words]])
  })
})

/** The folder as a kill leaves it amid an append: the first `count` of its lines are whole, and the next one is not. */
async function cutOff(count: number, ...events: readonly EventBody[]): Promise<string> {
  const left = join(folder, 'cut')
  let before = 0
  const keep: SealStore['announce'] = async (place, text, isRecorded) => {
    const isThere = await seals().announce(place, text, isRecorded)
    if (isRecorded) return isThere
    before = lines().length
    cpSync(join(folder, 'state'), join(left, 'state'), { recursive: true })
    return isThere
  }
  const ledger = await open({ ...seals(), announce: keep })
  await ledger.append(...events)
  cpSync(join(folder, 'data'), join(left, 'data'), { recursive: true })
  const path = join(left, 'data/workspaces/one/ledger/000000000001.jsonl')
  const whole = readFileSync(path, 'utf8').trimEnd().split('\n')
  const torn = (whole[before + count] ?? '').slice(0, 40)
  writeFileSync(path, `${whole.slice(0, before + count).join('\n')}\n${torn}`)
  await ledger.close()
  return left
}

describe('a host', () => {
  it.each([1, 2])('that is killed amid an append of three, after %i, is told nothing', async (count) => {
    putBack(await cutOff(count, noteEvent('quick'), thumb, refuted))
    expect(lines().length).toBeGreaterThan(count)
    const { start } = await findings()
    expect(start).toEqual([])
  })

  it('that could not mark what it had recorded, and is killed amid the next, is told nothing', async () => {
    let marks = 0
    const left = join(folder, 'left')
    const store: SealStore = {
      ...seals(),
      // Nothing is sealed anew meanwhile.
      write: () => Promise.reject(new StorageError('no room', folder, 'ENOSPC')),
      announce: async (place, text, isRecorded) => {
        if (isRecorded) marks += 1
        if (isRecorded && marks === 2) throw new StorageError('too many open files', folder, 'EMFILE')
        const isThere = await seals().announce(place, text, isRecorded)
        if (!isRecorded && marks === 2)
          for (const name of ['data', 'state'])
            cpSync(join(folder, name), join(left, name), { recursive: true })
        return isThere
      },
    }
    const ledger = await open(store)
    for (const event of [thumb, refuted, overruled]) await ledger.append(event)
    await ledger.close().catch(() => undefined)
    putBack(left)
    expect(lines()).toHaveLength(3)
    expect(await findings()).toEqual(NOTHING)
  })

  /** Keeps the folder as a kill leaves it, before and after each write of an announcement. */
  function keepingEachMoment(): { readonly store: SealStore; readonly moments: readonly string[] } {
    const moments: string[] = []
    const keep = (): void => {
      const left = join(folder, `left-${moments.length}`)
      for (const name of ['data', 'state']) cpSync(join(folder, name), join(left, name), { recursive: true })
      moments.push(left)
    }
    const announce: SealStore['announce'] = async (...how) => {
      keep()
      const isThere = await seals().announce(...how)
      keep()
      return isThere
    }
    return { store: { ...seals(), announce }, moments }
  }

  it('that is killed at whatever moment is told nothing, at once and once it has gone on', async () => {
    const { store, moments } = keepingEachMoment()
    const ledger = await open(store)
    for (const event of [thumb, noteEvent('between'), refuted, overruled, thumb]) await ledger.append(event)
    await ledger.close()
    expect(moments).toHaveLength(16)
    for (const left of moments) {
      putBack(left)
      expect(await findings(), left).toEqual(NOTHING)
      putBack(left)
      await killedAfter(thumb)
      expect(await findings(), left).toEqual(NOTHING)
    }
  })

  it('that is killed again and again before it could seal anything is told nothing', async () => {
    const neverAgain: SealStore = {
      ...seals(),
      write: () => Promise.reject(new StorageError('no room', folder, 'ENOSPC')),
    }
    for (let round = 0; round < 5; round += 1) {
      const ledger = await open(neverAgain)
      expect(ledger.broken()).toEqual([])
      for (const event of [thumb, noteEvent('between'), refuted]) await ledger.append(event)
    }
    expect(await findings()).toEqual(NOTHING)
  })

  it('that may announce nothing records all the same, and seals it as soon as it can', async () => {
    const store: SealStore = {
      ...seals(),
      announce: () => Promise.reject(new StorageError('cannot be written', folder, 'EACCES')),
    }
    const ledger = await open(store)
    await ledger.append(refuted)
    await expect.poll(async () => (await seals().read())?.seq).toBe(2)
    expect(await findings()).toEqual(NOTHING)
    await ledger.close().catch(() => undefined)
  })

  it('that can write to no seal is told nothing, start after start', async () => {
    const refuse = () => Promise.reject(new StorageError('read-only', folder, 'EROFS'))
    const store: SealStore = { ...seals(), announce: refuse, write: refuse, reopen: refuse }
    // As a kill left it, that came before its disk went read-only.
    await killedAfter(noteEvent('while it ran'))
    for (let round = 0; round < 3; round += 1) {
      const ledger = await open(store)
      expect(ledger.broken()).toEqual([])
      await ledger.append(refuted)
      await ledger.close()
    }
    const ledger = await open(store)
    expect(ledger.broken()).toEqual([])
  })

  it('whose seal is of a version that announced nothing is told nothing', async () => {
    await killedAfter(refuted)
    const state = join(folder, 'state')
    const path = join(state, readdirSync(state)[0] ?? '')
    const { announced, ...older } = JSON.parse(readFileSync(path, 'utf8'))
    expect(announced).toHaveLength(2)
    writeFileSync(path, JSON.stringify(older))
    expect(await findings()).toEqual(NOTHING)
    await killedAfter(refuted)
    forge(thumb)
    expect((await findings()).start, 'from the next start on').toHaveLength(1)
  })

  it('that records while `doctor` reads is told nothing', async () => {
    const ledger = await open()
    await ledger.append(thumb)
    let isOver = false
    const recording = (async () => {
      while (!isOver) await ledger.append(thumb)
    })()
    for (let round = 0; round < 20; round += 1) {
      const { problems } = await verifyLedger(directory, seals())
      expect(problems.filter(({ file }) => file === 'ledger')).toEqual([])
    }
    isOver = true
    await recording
    await ledger.close()
  })
})
