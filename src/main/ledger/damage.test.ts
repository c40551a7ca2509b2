import { createHash } from 'node:crypto'
import { appendFile, copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fold } from '../../core/record/fold.ts'
import { hashLine } from './line.ts'
import { finishedAttempt, noteEvent } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'
import { verifyLedger } from './verify.ts'

let files: TemporaryLedger
let segment: string
let snapshot: string

beforeEach(async () => {
  files = await temporaryLedger()
  segment = join(files.ledgerDirectory, '000000000001.jsonl')
  snapshot = join(files.ledgerDirectory, 'snapshot.json')
})
afterEach(() => files.remove())

/** Writes a ledger with `n1` to `n<count>` and closes it. */
async function writeNotes(count: number, segmentBytes?: number): Promise<void> {
  const ledger = await files.open({ segmentBytes })
  for (let number = 1; number <= count; number += 1) await ledger.append(noteEvent(`n${number}`))
  await ledger.close()
}

/** Reopens the ledger and returns the ids in its state, the ids read, its problems and its state. */
async function reopen() {
  const ledger = await files.open()
  const events = await ledger.read(1, 1000)
  const ids = events.map((event) => ('message' in event ? event.message : event.type))
  await ledger.close()
  return { ids, problems: ledger.problems, state: ledger.state, events }
}

async function editLine(number: number, edit: (line: string) => string): Promise<void> {
  const lines = (await readFile(segment, 'utf8')).split('\n')
  lines[number - 1] = edit(lines[number - 1] ?? '')
  await writeFile(segment, lines.join('\n'))
}

const parts = async (): Promise<string[]> =>
  (await readdir(files.ledgerDirectory)).filter((name) => name.startsWith('torn-')).sort()

describe('a torn end', () => {
  test.each([
    ['half a line', '{"seq":4,"at":"2026'],
    ['a whole event without its newline', '{"seq":4,"at":"a","day":"b","prev":"c","type":"resumed"}'],
    ['zeros, as after a power cut', '\0'.repeat(5000)],
    ['a line that is not JSON', 'garbage\n'],
    ['several broken lines', '{"seq":4\ngarbage\n{"se'],
    ['a line over the limit', 'x'.repeat(3 * 1024 * 1024)],
  ])('of %s is cut off, set aside and logged, and recording continues', async (_name, torn) => {
    await writeNotes(3)
    await appendFile(segment, torn)
    expect((await verifyLedger(files.directory)).problems).toHaveLength(1)

    const { ids, problems } = await reopen()
    expect({ ids, problems }).toEqual({ ids: ['n1', 'n2', 'n3'], problems: [] })
    expect(files.warnings.join()).toContain('torn line')
    const [part = ''] = await parts()
    expect(part).toBe('torn-2026-03-01T10-00-00-000Z.part')
    expect(await readFile(join(files.ledgerDirectory, part), 'utf8')).toBe(torn)

    const ledger = await files.open()
    await ledger.append(noteEvent('n4'))
    await ledger.close()
    expect(await verifyLedger(files.directory)).toEqual({ events: 4, problems: [] })
  })

  test('that is the whole file leaves an empty ledger that works', async () => {
    await writeNotes(1)
    await rm(snapshot)
    await writeFile(segment, '{"se')
    const ledger = await files.open()
    await ledger.append(noteEvent('first'))
    await ledger.close()
    expect((await reopen()).ids).toEqual(['first'])
    expect(await verifyLedger(files.directory)).toEqual({ events: 1, problems: [] })
  })

  test('right after a rotation loses nothing from earlier segments', async () => {
    await writeNotes(10, 1000)
    const newest = join(files.ledgerDirectory, '000000000011.jsonl')
    await writeFile(newest, '{"seq":11')
    expect((await reopen()).ids).toHaveLength(10)
    await writeFile(newest, '')
    const ledger = await files.open()
    await ledger.append(noteEvent('n11'))
    await ledger.close()
    expect(await verifyLedger(files.directory)).toEqual({ events: 11, problems: [] })
  })

  test('is kept for the newest twenty crashes only, and none replaces another', async () => {
    await writeNotes(1)
    for (let crash = 0; crash < 25; crash += 1) {
      await appendFile(segment, `crash ${crash}`)
      if (crash > 2) files.nowMs += 1000
      await reopen()
    }
    expect(await parts()).toHaveLength(20)
    const kept = await Promise.all(
      (await parts()).map((name) => readFile(join(files.ledgerDirectory, name), 'utf8')),
    )
    expect(new Set(kept).size).toBe(20)
  })
})

describe('a broken line in the middle', () => {
  test('is reported, skipped on a replay and never overwritten', async () => {
    await writeNotes(5)
    await rm(snapshot)
    await editLine(3, (line) => line.slice(0, 20))
    const before = await readFile(segment, 'utf8')

    const { ids, problems, state, events } = await reopen()
    expect(ids).toEqual(['n1', 'n2', 'n4', 'n5'])
    expect(problems).toEqual(['000000000001.jsonl:3: broken line: not JSON'])
    expect(state).toEqual(fold(events))
    expect(await readFile(segment, 'utf8')).toBe(before)
    expect(await verifyLedger(files.directory)).toEqual({
      events: 4,
      problems: [{ file: '000000000001.jsonl', line: 3, message: 'broken line: not JSON' }],
    })
  })

  test('does not affect a state that comes from a snapshot after it', async () => {
    await writeNotes(5)
    const { state } = await reopen()
    await editLine(2, () => 'garbage')
    const again = await reopen()
    expect(again.state).toEqual(state)
    expect(again.problems).toEqual(['000000000001.jsonl:2: broken line: not JSON'])
  })

  test('does not hide the readable part of a truncated compressed segment', async () => {
    await writeNotes(20, 1000)
    await rm(snapshot)
    const packed = `${segment}.gz`
    await writeFile(packed, gzipSync(gunzipSync(await readFile(packed)).subarray(0, 500)))
    const { ids, problems } = await reopen()
    expect(ids).toEqual(['n1', 'n2', ...Array.from({ length: 15 }, (_, index) => `n${index + 6}`)])
    expect(problems[0]).toBe('000000000001.jsonl.gz:3: broken line: no newline at its end')
    await truncate(packed, 100)
    await rm(snapshot)
    const truncated = await reopen()
    expect(truncated.ids).toHaveLength(15)
    expect(truncated.problems[0]).toMatch(/^000000000001\.jsonl\.gz: cannot be read to its end/)
  })

  test('random bytes never stop the ledger from opening', async () => {
    await writeNotes(3)
    await rm(snapshot)
    const lines = (await readFile(segment)).toString('latin1').split('\n')
    const noise = Array.from({ length: 300 }, (_, index) =>
      createHash('sha256').update(String(index)).digest().toString('latin1').replaceAll('\n', ' '),
    )
    await writeFile(segment, [lines[0], ...noise, lines[1], lines[2], ''].join('\n'), 'latin1')
    const { ids, problems } = await reopen()
    expect(ids).toEqual(['n1', 'n2', 'n3'])
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toBe('and 1 more')
  })
})

describe('an edit', () => {
  test.each([
    ['of an event', 2, (line: string) => line.replace('"n2"', '"x2"'), 3],
    ['of an event’s time', 2, (line: string) => line.replace('10:00', '11:00'), 3],
    ['of an event’s number', 2, (line: string) => line.replace('"seq":2', '"seq":7'), 2],
    ['of white space', 2, (line: string) => line.replace(',', ', '), 3],
    ['of the last event', 5, (line: string) => line.replace('"n5"', '"x5"'), 5],
  ])('%s is detected', async (_name, number, edit, reportedLine) => {
    await writeNotes(5)
    await editLine(number, edit)
    const { problems } = await verifyLedger(files.directory)
    expect(problems[0]).toMatchObject({ file: '000000000001.jsonl', line: reportedLine })
  })

  test('that removes a line is detected', async () => {
    await writeNotes(5)
    const lines = (await readFile(segment, 'utf8')).split('\n')
    await writeFile(segment, lines.toSpliced(1, 1).join('\n'))
    expect((await verifyLedger(files.directory)).problems).toEqual([
      { file: '000000000001.jsonl', line: 2, message: 'event 2 is missing before this line' },
    ])
  })

  test('that cuts off the end is detected', async () => {
    await writeNotes(5)
    const lines = (await readFile(segment, 'utf8')).split('\n')
    await writeFile(segment, `${lines.slice(0, 3).join('\n')}\n`)
    expect((await verifyLedger(files.directory)).problems).toEqual([
      {
        file: 'snapshot.json',
        line: 0,
        message: 'events up to 5 were recorded, but the ledger ends at 3',
      },
    ])
  })

  test('that removes whole segments is detected', async () => {
    await writeNotes(20, 1000)
    await rm(join(files.ledgerDirectory, '000000000006.jsonl.gz'))
    expect((await verifyLedger(files.directory)).problems[0]).toEqual({
      file: '000000000011.jsonl.gz',
      line: 0,
      message: 'events 6 to 10 are missing before this line',
    })
    await rm(`${segment}.gz`)
    expect((await verifyLedger(files.directory)).problems[0]?.message).toBe(
      'events 1 to 10 are missing before this line',
    )
  })

  test('of the score in the snapshot is detected even with a matching checksum', async () => {
    const ledger = await files.open()
    await ledger.append(finishedAttempt('one'))
    await ledger.close()
    const forged = JSON.parse(await readFile(snapshot, 'utf8'))
    forged.state.score.today.score = 400
    forged.checksum = createHash('sha256').update(JSON.stringify(forged.state)).digest('hex')
    await writeFile(snapshot, JSON.stringify(forged))
    const { problems } = await verifyLedger(files.directory)
    expect(problems[0]?.message).toContain("don't give the state in snapshot.json")
  })
})

describe('a snapshot', () => {
  test.each([
    ['that is missing', () => rm(snapshot)],
    ['that is not JSON', () => writeFile(snapshot, '{"schema":')],
    ['that is empty', () => writeFile(snapshot, '')],
    ['of another kind', () => writeFile(snapshot, '[]')],
    ['of another version', () => editSnapshot((json) => ({ ...json, fold: 999 }))],
    [
      'changed by hand',
      () =>
        editSnapshot((json) => ({ ...json, state: { ...(json.state as object), paused: { since: 'x' } } })),
    ],
    ['of another ledger', () => editSnapshot((json) => ({ ...json, hash: 'f'.repeat(64) }))],
    ['ahead of the ledger', () => editSnapshot((json) => ({ ...json, seq: 99 }))],
  ])('%s is ignored in favor of a full replay', async (_name, damage) => {
    await writeNotes(20, 1000)
    const { state } = await reopen()
    await damage()
    const again = await reopen()
    expect(again.state).toEqual(state)
    expect(again.ids).toHaveLength(20)
    // Closing writes a valid one again.
    expect(JSON.parse(await readFile(snapshot, 'utf8')).seq).toBe(20)
    expect((await verifyLedger(files.directory)).problems).toEqual([])
  })

  test('that does not match the ledger is shown to the operator', async () => {
    await writeNotes(3)
    await editLine(3, (line) => line.replace('"n3"', '"x3"'))
    expect((await reopen()).problems).toEqual([
      'snapshot.json: does not match the ledger at event 3: the state was rebuilt from all events',
    ])
  })

  async function editSnapshot(edit: (json: Record<string, unknown>) => unknown): Promise<void> {
    await writeFile(snapshot, JSON.stringify(edit(JSON.parse(await readFile(snapshot, 'utf8')))))
  }
})

describe('an event of a newer version', () => {
  test('is kept in the file, skipped in the state, and the chain continues after it', async () => {
    await writeNotes(2)
    const last = (await readFile(segment, 'utf8')).trimEnd().split('\n').at(-1) ?? ''
    const newer = `{"seq":3,"at":"2026-03-01T10:00:00Z","day":"2026-03-02","prev":"${hashLine(Buffer.from(last))}","type":"teleported","to":"moon"}`
    await appendFile(segment, `${newer}\n`)

    const ledger = await files.open()
    expect(ledger.problems).toEqual([])
    const [event] = await ledger.append(noteEvent('n4'))
    expect(event).toMatchObject({ seq: 4, day: '2026-03-02' })
    await ledger.close()
    expect(await readFile(segment, 'utf8')).toContain(newer)
    expect((await reopen()).ids).toEqual(['n1', 'n2', 'n4'])
    expect(await verifyLedger(files.directory)).toEqual({ events: 4, problems: [] })
  })

  test('of a known type but another shape is reported as a problem', async () => {
    await writeNotes(1)
    const first = (await readFile(segment, 'utf8')).trimEnd()
    await appendFile(
      segment,
      `{"seq":2,"at":"a","day":"2026-03-02","prev":"${hashLine(Buffer.from(first))}","type":"paused","until":5}\n`,
    )
    const { problems, ids } = await reopen()
    expect(ids).toEqual(['n1'])
    expect(problems[0]).toMatch(/^000000000001\.jsonl:2: event paused doesn't match its schema: until/)
  })
})

describe('an interrupted compression', () => {
  test.each([
    ['before the compressed file was in place', async () => undefined],
    ['that left a temporary file', () => writeFile(`${segment}.gz.tmp`, 'half')],
    [
      'before the plain file was removed',
      async () => writeFile(`${segment}.gz`, gzipSync(await readFile(segment))),
    ],
    ['with a compressed file of different content', () => writeFile(`${segment}.gz`, gzipSync('other'))],
    ['with a broken compressed file', () => writeFile(`${segment}.gz`, 'no gzip')],
  ])('%s is finished at the next start', async (_name, leave) => {
    await writeNotes(20, 1000)
    await writeFile(segment, gunzipSync(await readFile(`${segment}.gz`)))
    await rm(`${segment}.gz`)
    await leave()
    expect((await verifyLedger(files.directory)).problems).toEqual([])
    expect((await reopen()).ids).toHaveLength(20)
    const names = (await readdir(files.ledgerDirectory)).sort()
    expect(names.slice(0, 2)).toEqual(['000000000001.jsonl.gz', '000000000006.jsonl.gz'])
    expect(names.some((name) => name.endsWith('.tmp'))).toBe(false)
    expect(await verifyLedger(files.directory)).toEqual({ events: 20, problems: [] })
  })
})

test('loads the complete part of a ledger that was copied while in use', async () => {
  await writeNotes(8)
  const copy = await temporaryLedger()
  try {
    await (await copy.open()).close()
    await copyFile(segment, join(copy.ledgerDirectory, '000000000001.jsonl'))
    await truncate(join(copy.ledgerDirectory, '000000000001.jsonl'), 700)
    const ledger = await copy.open()
    expect(ledger.state.seq).toBe(3)
    expect(ledger.problems).toEqual([])
    await ledger.close()
  } finally {
    await copy.remove()
  }
})
