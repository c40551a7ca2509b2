import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { StorageError } from '../files/storage-error.ts'
import { type KeyStore, systemKeyStore } from '../process/key-store.ts'
import { decodeLine, encodeLine, GENESIS_HASH, hashLine } from './line.ts'
import { lostWorkspaces, type SealStore, sealStore, UNSEALED } from './seal.ts'
import { noteEvent } from './testing/sample-events.ts'
import { sealedLedger } from './testing/sealed-ledger.ts'

/*
 * Checks that a changed ledger is detected: at the next start and by `doctor`. The attacker knows how hashes are computed, but
 * does not have the seal.
 */

let folder: string
let directory: string
let sealed: ReturnType<typeof sealedLedger>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-tamper-'))
  directory = join(folder, 'workspaces/one')
  sealed = sealedLedger(folder, directory)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Records a ledger of ten events and closes it. */
async function recorded(segmentBytes?: number): Promise<void> {
  const ledger = await sealed.open(segmentBytes === undefined ? {} : { segmentBytes })
  for (let index = 1; index <= 10; index += 1) await ledger.append(noteEvent(`note ${index}`))
  await ledger.close()
}

/** Rewrites the events with one of them changed, each line with the hash of the one before. */
function rewrite(change: (text: string) => string): void {
  let prev = GENESIS_HASH
  const written = sealed.lines().map((text) => {
    const decoded = decodeLine(Buffer.from(text))
    if ('broken' in decoded) throw new Error(decoded.broken)
    const { seq, at, day, prev: _, ...body } = JSON.parse(change(text))
    const line = encodeLine({ seq, at, day }, prev, JSON.stringify(body))
    prev = hashLine(line)
    return line.toString()
  })
  writeFileSync(sealed.segment, `${written.join('\n')}\n`)
}

describe('an unchanged ledger', () => {
  it('is intact, start after start, including what was recorded since', async () => {
    await recorded()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
    const ledger = await sealed.open()
    await ledger.append(noteEvent('more'))
    // As after a crash: without its own seal.
    expect(ledger.broken()).toEqual([])
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
    await ledger.close().catch(() => undefined)
  })

  it('stays intact if its last events were recorded on a full disk before a crash', async () => {
    await recorded()
    const inode = (): number =>
      statSync(join(folder, 'state', readdirSync(join(folder, 'state'))[0] ?? '')).ino
    const before = inode()
    await sealed.seals().reopen()
    expect(inode(), 'nothing new is written').toBe(before)
    sealed.forge()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })

  it('without a seal raises no alarm: on a new machine, or from a backup', async () => {
    await recorded()
    await sealed.seals().forget()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })

  it('stays intact when its segments are compressed', async () => {
    await recorded(600)
    expect(readdirSync(join(directory, 'ledger')).some((name) => name.endsWith('.gz'))).toBe(true)
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })
})

describe('a compressed segment that is unchanged since it was sealed', () => {
  const packed = (): string => {
    const name = readdirSync(join(directory, 'ledger')).find((each) => each.endsWith('.gz'))
    if (name === undefined) throw new Error('Nothing was packed.')
    return join(directory, 'ledger', name)
  }

  beforeEach(async () => {
    await recorded(600)
    // File times don't show changes within the same moment.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    const ledger = await sealed.open()
    await ledger.append(noteEvent('the end of a heartbeat'))
    await ledger.close()
  })
  afterEach(() => vi.useRealTimers())

  it("is recognized by its file's metadata, and not read at the start", async () => {
    const seal = await sealed.seals().read()
    expect(Object.keys(seal?.states ?? {})).toEqual(Object.keys(seal?.segments ?? {}))
    expect(seal?.states[basename(packed())]).toContain(`${statSync(packed()).size}:`)
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })

  it('is reported as changed at the start, whatever its size and times are set to', async () => {
    const { atime, mtime } = statSync(packed())
    const bytes = readFileSync(packed())
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(packed(), bytes)
    utimesSync(packed(), atime, mtime)
    expect((await sealed.findings()).start).toContainEqual(
      expect.stringContaining('was changed after it was closed'),
    )
  })

  it('is not reported as changed if it was only touched', async () => {
    utimesSync(packed(), 1, 1)
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })
})

describe('on a system with a key store', () => {
  const state = () => join(folder, 'state')
  const sealFile = () => join(state(), readdirSync(state())[0] ?? '')

  /** Creates a `secret-tool` that stores what it is given in files, or does not answer. */
  function keyStore(answers = true): KeyStore | null {
    const bin = join(folder, 'bin')
    const kept = join(folder, 'kept')
    mkdirSync(bin, { recursive: true })
    mkdirSync(kept, { recursive: true })
    const script = answers
      ? `#!/bin/sh
for name; do :; done
case $1 in
  store) cat > ${kept}/$name ;;
  lookup) cat ${kept}/$name 2>/dev/null ;;
  clear) rm -f ${kept}/$name ;;
esac`
      : `#!/bin/sh\necho asked >> ${kept}/asked; exec sleep 60`
    writeFileSync(join(bin, 'secret-tool'), script, { mode: 0o755 })
    const environment = { PATH: `${bin}:${process.env.PATH}`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' }
    return systemKeyStore('linux', environment)
  }

  it('its copy reveals a seal that was deleted, restored from an old copy or rewritten', async () => {
    const keys = keyStore()
    const store = () => sealStore(directory, state(), keys)
    await store().write({ seq: 1, hash: 'a', segments: {} })
    const old = readFileSync(sealFile(), 'utf8')
    await store().write({ seq: 2, hash: 'b', segments: { x: 'y' } })
    expect(await store().read()).toMatchObject({ seq: 2, hash: 'b', segments: { x: 'y' } })
    writeFileSync(sealFile(), old)
    expect(await store().read(), 'put back').toMatchObject({ seq: 2, hash: 'b' })
    writeFileSync(sealFile(), old.replace('"seq":1', '"seq":2'))
    expect(await store().read(), 'rewritten').toMatchObject({ seq: 2, hash: 'b' })
    await rm(sealFile())
    expect(await store().read(), 'deleted').toMatchObject({ seq: 2, hash: 'b' })
    await store().forget()
    expect(await store().read()).toBeNull()
  })

  it('a key store that does not answer is not asked again, and the file counts', async () => {
    const store = sealStore(directory, state(), keyStore(false))
    await store.write({ seq: 1, hash: 'a', segments: {} })
    expect(await store.read()).toMatchObject({ seq: 1, hash: 'a' })
    expect(readFileSync(join(folder, 'kept/asked'), 'utf8')).toBe('asked\n')
  })

  it('no key store is used without a session, or on an unsupported system', () => {
    expect(systemKeyStore('linux', {})).toBeNull()
    expect(systemKeyStore('win32', { DBUS_SESSION_BUS_ADDRESS: 'x' })).toBeNull()
  })
})

describe('a changed ledger', () => {
  it('is detected when events at its end are missing', async () => {
    await recorded()
    writeFileSync(sealed.segment, `${sealed.lines().slice(0, 7).join('\n')}\n`)
    const { start, doctor } = await sealed.findings()
    expect(start.join()).toContain(
      'the ledger ends at event 7, but 10 had been recorded: 3 events are missing',
    )
    expect(doctor.join()).toContain('3 events are missing')
  })

  it('is detected when the whole folder was rolled back, and the newer snapshot is kept', async () => {
    await recorded()
    cpSync(directory, join(folder, 'before'), { recursive: true })
    const ledger = await sealed.open()
    await ledger.append(noteEvent('a thumb down'))
    await ledger.close()
    const ahead = readFileSync(join(directory, 'ledger/snapshot.json'), 'utf8')
    cpSync(join(folder, 'before'), directory, { recursive: true })
    writeFileSync(join(directory, 'ledger/snapshot.json'), ahead)
    const { start } = await sealed.findings()
    expect(start.join()).toContain('1 event is missing')
    expect(start.join()).toContain('snapshot.json knows 11 events')
    const kept = readdirSync(join(directory, 'ledger')).find((name) =>
      name.startsWith('snapshot.json.ahead-'),
    )
    expect(readFileSync(join(directory, 'ledger', kept ?? ''), 'utf8')).toBe(ahead)
  })

  it('is detected when an event was rewritten with matching hashes', async () => {
    await recorded()
    rewrite((text) => text.replace('note 4', 'note for'))
    await rm(join(directory, 'ledger/snapshot.json'))
    const { start, doctor } = await sealed.findings()
    expect(start.join()).toContain('event 10, or one before it, is not the one that was recorded')
    expect(doctor.join()).toContain('is not the one that was recorded')
  })

  it('is detected until accepted when events were added with matching hashes while it was closed', async () => {
    await recorded()
    sealed.forge()
    const words = 'the ledger was closed with event 10, but 1 more follows that Pulseward has not recorded'
    const { start, doctor } = await sealed.findings()
    expect(doctor.join()).toContain(words)
    expect(start.join()).toContain(words)
    const ledger = await sealed.open()
    await ledger.append(noteEvent('later'))
    expect(ledger.broken().join()).toContain(words)
    await ledger.accept()
    await ledger.close()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })

  it.each([
    ['twice', '"seq"'],
    ['twice, once escaped', '"s\\u0065q"'],
  ])('is detected when the last line is replaced by one that gives its number %s', async (_how, name) => {
    await recorded()
    const last = sealed.lines().at(-1) ?? ''
    const { seq, at, day, prev, ...body } = JSON.parse(last)
    const forged = encodeLine({ seq: seq - 1, at, day }, prev, JSON.stringify(body)).toString()
    writeFileSync(
      sealed.segment,
      `${[...sealed.lines().slice(0, -1), `${forged.slice(0, -1)},${name}:${seq}}`, last].join('\n')}\n`,
    )
    expect((await sealed.findings()).start).toEqual([
      `event ${seq}, or one before it, is not the one that was recorded`,
    ])
  })

  it('stays intact when a text within a line only looks like another number', async () => {
    const ledger = await sealed.open()
    await ledger.append(noteEvent('{"seq":1} "s\\u0065q":1 \u0001'))
    await ledger.append(noteEvent('after it'))
    await ledger.close()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })

  it('is detected when everything was deleted', async () => {
    await recorded()
    await rm(directory, { recursive: true })
    expect((await sealed.findings()).start.join()).toContain(
      'the ledger ends at event 0, but 10 had been recorded',
    )
  })

  it('is detected by its documents, which are kept, when everything was deleted with the seal', async () => {
    await recorded()
    await sealed.seals().forget()
    rmSync(join(directory, 'ledger'), { recursive: true })
    const progress = join(directory, 'heartbeat-progress.json')
    const document = JSON.stringify({ ...JSON.parse(readFileSync(progress, 'utf8')), cycleCount: 7 })
    writeFileSync(progress, document)
    const { start, doctor } = await sealed.findings()
    for (const words of [start.join(), doctor.join()])
      expect(words).toContain('heartbeat-progress.json knows 7 heartbeats of which 0 are recorded')
    const kept = readdirSync(directory).find((name) => name.startsWith('heartbeat-progress.json.ahead-'))
    expect(readFileSync(join(directory, kept ?? ''), 'utf8')).toBe(document)
  })

  it('is reported from the seals of its data folder when its whole folder is gone', async () => {
    await recorded()
    const state = join(folder, 'state')
    expect(await lostWorkspaces(folder, ['one'], state)).toEqual([])
    await rm(directory, { recursive: true })
    expect(await lostWorkspaces(folder, [], state)).toEqual([{ id: 'one', events: 10 }])
    expect(await lostWorkspaces(join(folder, 'other'), [], state), 'of other data folders').toEqual([])
    await sealed.seals().forget()
    expect(await lostWorkspaces(folder, [], state)).toEqual([])
  })

  it('is detected when a compressed segment was replaced', async () => {
    await recorded(600)
    const packed = readdirSync(join(directory, 'ledger')).filter((name) => name.endsWith('.gz'))
    const [first = '', second = ''] = packed
    cpSync(join(directory, 'ledger', second), join(directory, 'ledger', first))
    expect((await sealed.findings()).start.join()).toContain(`${first} was changed after it was closed`)
  })

  it('stays detected, whatever is recorded since, until the operator accepts it', async () => {
    await recorded()
    writeFileSync(sealed.segment, `${sealed.lines().slice(0, 7).join('\n')}\n`)
    const ledger = await sealed.open()
    await ledger.append(...['a', 'b', 'c', 'd', 'e'].map((text) => noteEvent(text)))
    await ledger.close()
    expect((await sealed.findings()).start.join()).toContain('3 events are missing')
    const again = await sealed.open()
    await sealed.seals().forget()
    expect(again.broken(), 'whoever takes the seal away has not answered').not.toEqual([])
    await again.accept()
    expect(again.broken()).toEqual([])
    await again.close()
    expect(await sealed.findings()).toEqual({ start: [], doctor: [] })
  })
})

describe('a configuration approval', () => {
  const approval = (hash: string): EventBody => ({ type: 'configuration-approved', hash })

  /** Leaves the disk as a kill does that comes after this many seals were written. */
  function cutOffAfter(writes: number): SealStore {
    let left = writes
    return {
      ...sealed.seals(),
      write: async (...seal) => {
        left -= 1
        if (left < 0) throw new StorageError('killed', folder, 'EIO')
        await sealed.seals().write(...seal)
      },
    }
  }

  async function approved(): Promise<{ readonly hash: string | null; readonly broken: readonly string[] }> {
    const ledger = await sealed.open()
    const { approvedHash: hash } = ledger
    const broken = ledger.broken()
    await ledger.close()
    return { hash, broken }
  }

  beforeEach(async () => {
    const ledger = await sealed.open()
    await ledger.append(approval('first'))
    await ledger.close()
  })

  it('counts even if its host was killed before sealing that it is recorded', async () => {
    // One seal at the opening, one before the approval.
    const ledger = await sealed.open({ seals: cutOffAfter(2) })
    await ledger.append(approval('second'))
    expect(await sealed.seals().read()).toMatchObject({ seq: 1, approved: ['first', 'second'] })
    expect(await approved()).toEqual({ hash: 'second', broken: [] })
    expect(await sealed.seals().read()).toMatchObject({ approved: ['second'] })
  })

  it('that could not be sealed is not recorded, and the one before it counts', async () => {
    const ledger = await sealed.open({ seals: cutOffAfter(1) })
    await expect(ledger.append(approval('second'))).rejects.toThrow('killed')
    expect(ledger.approvedHash).toBe('first')
    await ledger.append(noteEvent('the record goes on'))
    expect(await approved()).toEqual({ hash: 'first', broken: [] })
  })

  it('that could not be sealed fails alone, without what is recorded at the same time', async () => {
    const ledger = await sealed.open({ seals: cutOffAfter(1) })
    const [before, refused, between, alsoRefused, after] = await Promise.allSettled([
      ledger.append(noteEvent('before')),
      ledger.append(approval('second')),
      ledger.append(noteEvent('between')),
      ledger.append(noteEvent('with it'), approval('third')),
      ledger.append(noteEvent('after')),
    ])
    for (const { status } of [refused, alsoRefused]) expect(status).toBe('rejected')
    for (const { status } of [before, between, after]) expect(status).toBe('fulfilled')
    const said = (await ledger.read(2, 9)).map((event) => 'message' in event && event.message)
    expect(said).toEqual(['before', 'between', 'after'])
    expect(await approved()).toEqual({ hash: 'first', broken: [] })
  })

  it('that was sealed and not recorded does not count', async () => {
    await sealed.seals().write({ ...UNSEALED, approved: ['first', 'second'] })
    expect(await approved()).toEqual({ hash: 'first', broken: [] })
  })

  it('counts as recorded if the ledger is kept without a seal', async () => {
    await sealed.seals().forget()
    expect(await approved()).toEqual({ hash: 'first', broken: [] })
  })
})
