import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { StorageError } from '../files/storage-error.ts'
import { encodeBody } from './line.ts'
import type { SealStore } from './seal.ts'
import { finishedAttempt, noteEvent, thumb } from './testing/sample-events.ts'
import { sealedLedger } from './testing/sealed-ledger.ts'
import { verifyLedger } from './verify.ts'

/*
 * Checks what follows the last seal of a host that was killed. Anyone who kills it to add to, cut or rewrite its record, with
 * matching hashes, is detected. A host that was merely killed, at any moment, raises no alarm.
 */

let folder: string
let directory: string
let sealed: ReturnType<typeof sealedLedger>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-announced-'))
  directory = join(folder, 'data/workspaces/one')
  sealed = sealedLedger(folder, directory)
  // Seals only on close, so a killed host's events all come after that seal.
  const ledger = await sealed.open()
  await ledger.append(noteEvent('first'))
  await ledger.close()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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

/** Leaves the folder as a host does that is killed right after recording these events. */
async function killedAfter(...events: readonly EventBody[]): Promise<void> {
  const ledger = await sealed.open()
  for (const event of events) await ledger.append(event)
  const left = sealed.keepAs('left')
  await ledger.close()
  sealed.putBack(left)
}

describe('a process that kills the host', () => {
  it.each([
    ['a thumb', thumb],
    ['an overruling', overruled],
    ['a verdict', finishedAttempt('forged')],
    ['the end of a heartbeat', ended],
    ["an operator's answer", { type: 'operator-noted', text: 'All is well.', taskId: null } as const],
  ])('and appends %s to its record is detected, until the operator answers', async (_, forged) => {
    await killedAfter(noteEvent('while it ran'), refuted, noteEvent('and on'))
    sealed.forge(encodeBody(forged))
    const words = `event 5 (${forged.type}) was not announced in its seal: Pulseward did not record it, or could not write to the seal then`
    const { start, doctor } = await sealed.findings()
    expect(start).toEqual([words])
    expect(doctor).toEqual([words])
    const ledger = await sealed.open()
    expect(ledger.broken()).toEqual([words])
    await ledger.accept()
    await ledger.close()
    expect(await sealed.findings()).toEqual(NOTHING)
  })

  it('and appends the start of a later day to its record is detected', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    sealed.forge(encodeBody({ type: 'day-rolled' }), '2099-01-01')
    const words =
      'event 4 (day-rolled) was not announced in its seal: Pulseward did not record it, or could not write to the seal then'
    expect(await sealed.findings()).toEqual({ start: [words], doctor: [words] })
  })

  it('and appends more than it had written where an append of several events was cut off is detected', async () => {
    const left = await cutOff(1, noteEvent('quick'), thumb, refuted)
    sealed.putBack(left)
    // The first of the two announced events is missing, and those before it differ from what was announced.
    writeFileSync(sealed.segment, `${sealed.lines().slice(0, 1).join('\n')}\n`)
    sealed.forge(encodeBody(thumb))
    expect((await sealed.findings()).start).toHaveLength(1)
  })

  it('and removes the last verdict from the record is detected', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    writeFileSync(sealed.segment, `${sealed.lines().slice(0, -1).join('\n')}\n`)
    const { start, doctor } = await sealed.findings()
    const words = 'the ledger ends at event 2, but 3 had been recorded: 1 event is missing'
    expect([start, doctor]).toEqual([[words], [words]])
  })

  it('and replaces its last verdict is detected', async () => {
    await killedAfter(noteEvent('while it ran'), refuted)
    writeFileSync(sealed.segment, `${sealed.lines().slice(0, -1).join('\n')}\n`)
    sealed.forge(encodeBody(finishedAttempt('refuted')))
    const { start, doctor } = await sealed.findings()
    const words = 'event 3, or one before it, is not the one that was recorded'
    expect([start, doctor]).toEqual([[words], [words]])
  })
})

/** Leaves the folder as a kill during an append does: the first `count` lines are complete, the next one is not. */
async function cutOff(count: number, ...events: readonly EventBody[]): Promise<string> {
  const left = join(folder, 'cut')
  let before = 0
  const keep: SealStore['announce'] = async (place, text, isRecorded) => {
    const isThere = await sealed.seals().announce(place, text, isRecorded)
    if (isRecorded) return isThere
    before = sealed.lines().length
    cpSync(join(folder, 'state'), join(left, 'state'), { recursive: true })
    return isThere
  }
  const ledger = await sealed.open({ seals: { ...sealed.seals(), announce: keep } })
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
  it.each([1, 2])(
    'that is killed during an append of three events, after %i, reports nothing',
    async (count) => {
      sealed.putBack(await cutOff(count, noteEvent('quick'), thumb, refuted))
      expect(sealed.lines().length).toBeGreaterThan(count)
      const { start } = await sealed.findings()
      expect(start).toEqual([])
    },
  )

  it('that could not mark what it had recorded, and is killed during the next append, reports nothing', async () => {
    let marks = 0
    let left = ''
    const store: SealStore = {
      ...sealed.seals(),
      // Nothing is sealed again in between.
      write: () => Promise.reject(new StorageError('no room', folder, 'ENOSPC')),
      announce: async (place, text, isRecorded) => {
        if (isRecorded) marks += 1
        if (isRecorded && marks === 2) throw new StorageError('too many open files', folder, 'EMFILE')
        const isThere = await sealed.seals().announce(place, text, isRecorded)
        if (!isRecorded && marks === 2) left = sealed.keepAs('left')
        return isThere
      },
    }
    const ledger = await sealed.open({ seals: store })
    for (const event of [thumb, refuted, overruled]) await ledger.append(event)
    await ledger.close().catch(() => undefined)
    sealed.putBack(left)
    expect(sealed.lines()).toHaveLength(3)
    expect(await sealed.findings()).toEqual(NOTHING)
  })

  /** Copies the folder, as a kill would leave it, before and after each write of an announcement. */
  function keepingEachMoment(): { readonly store: SealStore; readonly moments: readonly string[] } {
    const moments: string[] = []
    const keep = (): void => {
      moments.push(sealed.keepAs(`left-${moments.length}`))
    }
    const announce: SealStore['announce'] = async (...how) => {
      keep()
      const isThere = await sealed.seals().announce(...how)
      keep()
      return isThere
    }
    return { store: { ...sealed.seals(), announce }, moments }
  }

  it('that is killed at any moment reports nothing, right away and after it has recorded more', async () => {
    const { store, moments } = keepingEachMoment()
    const ledger = await sealed.open({ seals: store })
    for (const event of [thumb, noteEvent('between'), refuted, overruled, thumb]) await ledger.append(event)
    await ledger.close()
    expect(moments).toHaveLength(16)
    for (const left of moments) {
      sealed.putBack(left)
      expect(await sealed.findings(), left).toEqual(NOTHING)
      sealed.putBack(left)
      await killedAfter(thumb)
      expect(await sealed.findings(), left).toEqual(NOTHING)
    }
  })

  it('that is killed again and again before it could seal anything reports nothing', async () => {
    const neverAgain: SealStore = {
      ...sealed.seals(),
      write: () => Promise.reject(new StorageError('no room', folder, 'ENOSPC')),
    }
    for (let round = 0; round < 5; round += 1) {
      const ledger = await sealed.open({ seals: neverAgain })
      expect(ledger.broken()).toEqual([])
      for (const event of [thumb, noteEvent('between'), refuted]) await ledger.append(event)
    }
    expect(await sealed.findings()).toEqual(NOTHING)
  })

  it.each([
    ['synced before it is marked', null, ['synced', 'marked']],
    ['neither marked nor sealed if it cannot be synced', 'EIO', []],
  ])('that was killed during an append leaves an end that is %s', async (_, refusal, expected) => {
    await killedAfter(noteEvent('while it ran'))
    const handle = await open(sealed.segment)
    const files: Pick<FileHandle, 'datasync'> = Object.getPrototypeOf(handle)
    await handle.close()
    const done: string[] = []
    const { datasync } = files
    vi.spyOn(files, 'datasync').mockImplementation(async function (this: FileHandle) {
      if (refusal !== null) throw new StorageError('refused', folder, refusal)
      done.push('synced')
      await datasync.call(this)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const announce: SealStore['announce'] = (...how) => {
      done.push('marked')
      return sealed.seals().announce(...how)
    }
    const ledger = await sealed.open({ seals: { ...sealed.seals(), announce } })
    expect(done).toEqual(expected)
    await ledger.close()
    expect((await sealed.seals().read())?.seq).toBe(refusal === null ? 2 : 1)
    vi.restoreAllMocks()
    expect(await sealed.findings()).toEqual(NOTHING)
  })

  it('that cannot announce still records, and seals as soon as it can', async () => {
    const store: SealStore = {
      ...sealed.seals(),
      announce: () => Promise.reject(new StorageError('cannot be written', folder, 'EACCES')),
    }
    const ledger = await sealed.open({ seals: store })
    await ledger.append(refuted)
    await expect.poll(async () => (await sealed.seals().read())?.seq).toBe(2)
    expect(await sealed.findings()).toEqual(NOTHING)
    await ledger.close().catch(() => undefined)
  })

  it('that cannot write to any seal reports nothing, start after start', async () => {
    const refuse = () => Promise.reject(new StorageError('read-only', folder, 'EROFS'))
    const store: SealStore = { ...sealed.seals(), announce: refuse, write: refuse, reopen: refuse }
    // A host was killed, then its disk went read-only.
    await killedAfter(noteEvent('while it ran'))
    for (let round = 0; round < 3; round += 1) {
      const ledger = await sealed.open({ seals: store })
      expect(ledger.broken()).toEqual([])
      await ledger.append(refuted)
      await ledger.close()
    }
    const ledger = await sealed.open({ seals: store })
    expect(ledger.broken()).toEqual([])
  })

  it('whose seal comes from a version without announcements reports nothing', async () => {
    await killedAfter(refuted)
    const state = join(folder, 'state')
    const path = join(state, readdirSync(state)[0] ?? '')
    const { announced, ...older } = JSON.parse(readFileSync(path, 'utf8'))
    expect(announced).toHaveLength(2)
    writeFileSync(path, JSON.stringify(older))
    expect(await sealed.findings()).toEqual(NOTHING)
    await killedAfter(refuted)
    sealed.forge(encodeBody(thumb))
    expect((await sealed.findings()).start, 'from the next start on').toHaveLength(1)
  })

  it('reports nothing if it records while `doctor` reads', async () => {
    const ledger = await sealed.open()
    await ledger.append(thumb)
    let isOver = false
    const recording = (async () => {
      while (!isOver) await ledger.append(thumb)
    })()
    for (let round = 0; round < 20; round += 1) {
      const { problems } = await verifyLedger(directory, sealed.seals())
      expect(problems.filter(({ file }) => file === 'ledger')).toEqual([])
    }
    isOver = true
    await recording
    await ledger.close()
  })
})
