import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SCORING } from '../../core/configuration/scoring.ts'
import type { EventBody } from '../../core/record/events.ts'
import { fold } from '../../core/record/fold.ts'
import { hashLine } from './line.ts'
import { finishedAttempt, noteEvent } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'
import { verifyLedger } from './verify.ts'

let files: TemporaryLedger

beforeEach(async () => {
  files = await temporaryLedger()
})
afterEach(() => files.remove())

const notes = (from: number, to: number): EventBody[] =>
  Array.from({ length: to - from + 1 }, (_, index) => noteEvent(`n${from + index}`))

describe('appending', () => {
  test('writes one JSON object per line, each with the hash of the line before', async () => {
    const ledger = await files.open()
    await ledger.append(noteEvent('a'), { type: 'paused', until: null })
    await ledger.append({ type: 'resumed' })

    const text = await readFile(join(files.ledgerDirectory, '000000000001.jsonl'), 'utf8')
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...noteEvent('a'), seq: 1, at: '2026-03-01T10:00:00.000Z', day: '2026-03-01', prev: '0'.repeat(64) },
      {
        type: 'paused',
        until: null,
        seq: 2,
        at: '2026-03-01T10:00:00.000Z',
        day: '2026-03-01',
        prev: hashLine(Buffer.from(lines[0] ?? '')),
      },
      {
        type: 'resumed',
        seq: 3,
        at: '2026-03-01T10:00:00.000Z',
        day: '2026-03-01',
        prev: hashLine(Buffer.from(lines[1] ?? '')),
      },
    ])
    await ledger.close()
  })

  test('returns the events with their numbers, and the state has them', async () => {
    const ledger = await files.open()
    const recorded = await ledger.append(finishedAttempt('one'), noteEvent('a'))
    expect(recorded.map((event) => [event.seq, event.type])).toEqual([
      [1, 'attempt-finished'],
      [2, 'diagnostic-raised'],
    ])
    expect(ledger.state).toEqual(fold(recorded))
    expect(ledger.state.score.today.score).toBe(10)
    await ledger.close()
  })

  test('carries out concurrent calls in order, each as a whole', async () => {
    const ledger = await files.open()
    const calls = Array.from({ length: 50 }, (_, index) =>
      ledger.append(noteEvent(`${index}-first`), noteEvent(`${index}-second`)),
    )
    const recorded = (await Promise.all(calls)).flat()
    expect(recorded.map((event) => event.seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(await ledger.read(1, 1000)).toEqual(recorded)
    await ledger.close()
  })

  test('records nothing of a call with an event that does not match its schema; concurrent calls succeed', async () => {
    const ledger = await files.open()
    const before = ledger.append(noteEvent('before'))
    const wrong = ledger.append(noteEvent('never'), { type: 'paused' } as unknown as EventBody)
    const unknown = ledger.append({ type: 'teleported' } as unknown as EventBody)
    const after = ledger.append(noteEvent('after'))
    await expect(wrong).rejects.toThrow(/Not a ledger event.*until/s)
    await expect(unknown).rejects.toThrow('Not a ledger event')
    await Promise.all([before, after])
    expect((await ledger.read(1, 10)).map((event) => 'message' in event && event.message)).toEqual([
      'before',
      'after',
    ])
    await ledger.close()
  })

  test('refuses an event longer than the limit for a line, and accepts the longest that fits', async () => {
    const ledger = await files.open()
    await expect(ledger.append(noteEvent('x'.repeat(1024 * 1024)))).rejects.toThrow(
      /diagnostic-raised has \d+ bytes, the limit is 1048576/,
    )
    expect(ledger.state.seq).toBe(0)
    await ledger.append(noteEvent('€'.repeat(349_000)))
    await ledger.close()
    const again = await files.open()
    expect(again.problems).toEqual([])
    expect(again.state.seq).toBe(1)
    await again.close()
  })

  test('preserves text of every kind', async () => {
    const texts = ['line\nbreak', 'separator\u2028\u2029', 'quote "', 'lone \ud800 surrogate', '\u0000', '🛡️']
    const ledger = await files.open()
    await ledger.append(...texts.map((text) => noteEvent(text)))
    await ledger.close()
    const again = await files.open()
    const read = await again.read(1, 100)
    expect(read.map((event) => 'message' in event && event.message)).toEqual(texts)
    expect(again.problems).toEqual([])
    await again.close()
  })

  test('never goes back to an earlier day when the clock is set back', async () => {
    const ledger = await files.open()
    await ledger.append(noteEvent('today'))
    files.nowMs -= 3 * 24 * 3600 * 1000
    const [event] = await ledger.append(noteEvent('in the past'))
    expect(event).toMatchObject({ at: '2026-02-26T10:00:00.000Z', day: '2026-03-01' })
    await ledger.close()
    const again = await files.open()
    const [afterRestart] = await again.append(noteEvent('still in the past'))
    expect(afterRestart?.day).toBe('2026-03-01')
    await again.close()
  })

  test('is refused after closing; calls before closing are recorded', async () => {
    const ledger = await files.open()
    const pending = [ledger.append(noteEvent('a')), ledger.append(noteEvent('b'))]
    await Promise.all([ledger.close(), ledger.close()])
    expect((await Promise.all(pending)).flat()).toHaveLength(2)
    await expect(ledger.append(noteEvent('c'))).rejects.toThrow('is closed')
  })

  test('writes nothing when there is nothing to append', async () => {
    const ledger = await files.open()
    expect(await ledger.append()).toEqual([])
    await ledger.close()
    expect(await readdir(files.ledgerDirectory)).toEqual([])
    expect((await readdir(files.directory)).sort()).toEqual(['ledger'])
  })

  test('makes its files readable by the operator only', async () => {
    const ledger = await files.open()
    await ledger.append(noteEvent('a'))
    await ledger.close()
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    expect(await mode(files.directory)).toBe('700')
    expect(await mode(join(files.ledgerDirectory, '000000000001.jsonl'))).toBe('600')
    expect(await mode(join(files.directory, 'heartbeat-score.json'))).toBe('600')
  })
})

describe('segments', () => {
  test('rotate at the given size; all except the newest are compressed, and nothing else is left', async () => {
    const ledger = await files.open({ segmentBytes: 1000 })
    for (const event of notes(1, 20)) await ledger.append(event)
    await ledger.close()
    expect((await readdir(files.ledgerDirectory)).sort()).toEqual([
      '000000000001.jsonl.gz',
      '000000000006.jsonl.gz',
      '000000000011.jsonl.gz',
      '000000000016.jsonl',
      'snapshot.json',
    ])
    expect(await verifyLedger(files.directory)).toEqual({ events: 20, problems: [] })
  })

  test('are closed and compressed a month after they began, by the clock and across restarts; a clock set back closes none', async () => {
    const day = 24 * 60 * 60 * 1000
    const begun = files.nowMs
    const ledger = await files.open()
    await ledger.append(noteEvent('one'))
    files.nowMs = begun + 29 * day
    await ledger.append(noteEvent('two'))
    await ledger.close()
    files.nowMs = begun + 30 * day
    const again = await files.open()
    await again.append(noteEvent('three'))
    files.nowMs = begun
    await again.append(noteEvent('four'))
    await again.close()
    const names = (await readdir(files.ledgerDirectory)).sort()
    expect(names).toEqual(['000000000001.jsonl.gz', '000000000003.jsonl', 'snapshot.json'])
    expect(await verifyLedger(files.directory)).toEqual({ events: 4, problems: [] })
  })

  test('are read across, compressed or not, from any event on', async () => {
    const ledger = await files.open({ segmentBytes: 1000 })
    const recorded = []
    for (const event of notes(1, 20)) recorded.push(...(await ledger.append(event)))
    for (const [from, limit] of [
      [1, 20],
      [1, 1],
      [5, 3],
      [11, 5],
      [20, 10],
      [0, 2],
    ] as const) {
      const first = Math.max(from, 1)
      expect(await ledger.read(from, limit)).toEqual(recorded.slice(first - 1, first - 1 + limit))
    }
    expect(await ledger.read(21, 10)).toEqual([])
    expect(await ledger.read(1, 0)).toEqual([])
    await ledger.close()
  })
})

describe('loading', () => {
  test('uses the snapshot and the events after it', async () => {
    const ledger = await files.open({ snapshotEvery: 4, segmentBytes: 1000 })
    const recorded = []
    for (const event of notes(1, 9)) recorded.push(...(await ledger.append(event)))
    await ledger.close()
    const again = await files.open({ snapshotEvery: 4, segmentBytes: 1000 })
    recorded.push(...(await again.append(noteEvent('n10'))))
    expect(again.state).toEqual(fold(recorded))
    await again.close()
  })

  test('does not reread compressed history', async () => {
    const ledger = await files.open({ segmentBytes: 1000 })
    for (const event of notes(1, 20)) await ledger.append(event)
    await ledger.close()
    await rm(join(files.ledgerDirectory, '000000000001.jsonl.gz'))
    const again = await files.open()
    expect(again.problems).toEqual([])
    expect(again.state.seq).toBe(20)
    await again.close()
  })

  test('uses the scoring rules it recorded, before and after a restart', async () => {
    const ledger = await files.open()
    await ledger.append(finishedAttempt('one'))
    const rules = { ...DEFAULT_SCORING, minimumTarget: 80 }
    await ledger.append({ type: 'scoring-changed', rules, changes: ['minimum_target = 80'] })
    expect(ledger.state.score.today.target).toBe(80)
    await ledger.close()
    const again = await files.open()
    expect(again.state).toEqual(fold(await again.read(1, 10)))
    expect(again.state.score.today.target).toBe(80)
    await again.close()
  })
})

describe('an attempt', () => {
  test('is found in full by its id, even if the state has dropped it', async () => {
    const ledger = await files.open({ segmentBytes: 64 * 1024 })
    const attempts = Array.from({ length: 520 }, (_, index) => finishedAttempt(`attempt-${index}`))
    await ledger.append(...attempts.slice(0, 100))
    await ledger.append(...attempts.slice(100))
    expect(ledger.state.attempts.some((attempt) => attempt.attemptId === 'attempt-0')).toBe(false)
    expect(await ledger.attempt('attempt-0')).toEqual(attempts[0]?.result)
    expect(await ledger.attempt('attempt-519')).toEqual(attempts[519]?.result)
    await ledger.close()
  })

  test('that only began, or does not exist, is null', async () => {
    const ledger = await files.open()
    await ledger.append({
      type: 'attempt-started',
      attemptId: 'begun',
      cycle: 1,
      taskId: 'check_email',
      agentId: 'claude',
      timeoutSeconds: 120,
      required: true,
    })
    expect(await ledger.attempt('begun')).toBeNull()
    expect(await ledger.attempt('never')).toBeNull()
    await ledger.close()
  })
})
