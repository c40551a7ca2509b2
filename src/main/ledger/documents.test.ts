import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { documents } from './document-list.ts'
import { finishedAttempt } from './testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'

let files: TemporaryLedger
let score: string
let progress: string

beforeEach(async () => {
  files = await temporaryLedger()
  score = join(files.directory, 'heartbeat-score.json')
  progress = join(files.directory, 'heartbeat-progress.json')
})
afterEach(() => files.remove())

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

/** Records a ledger in which one attempt of one cycle was verified, and closes it. */
async function recordCycle(): Promise<void> {
  const ledger = await files.open()
  await ledger.append(
    {
      type: 'contract-read',
      hash: 'h',
      tasks: [
        {
          id: 'check_email',
          description: 'Check the email',
          required: true,
          verify: 'email_count > 0',
          maxAttempts: 3,
          checked: false,
          criteria: [],
          line: 3,
        },
      ],
    },
    cycleStarted(1, { trigger: 'manual', contractHash: 'h' }),
    finishedAttempt('one'),
    { type: 'cycle-finished', cycle: 1, ending: 'completed' },
  )
  await ledger.close()
}

describe('the documents', () => {
  test("have ArgentOS's fields and the state's values", async () => {
    await recordCycle()
    expect(await json(score)).toMatchObject({
      today: {
        date: '2026-03-01',
        score: 10,
        peakScore: 10,
        lowestScore: 0,
        verifiedCount: 1,
        failedCount: 0,
        targetReached: false,
      },
      history: [],
      lifetime: { totalVerified: 1, totalFailed: 0, totalPoints: 10, targetFloor: 50 },
    })
    expect(await json(progress)).toMatchObject({
      cycleCount: 1,
      tasks: { check_email: { taskId: 'check_email', status: 'verified', attempts: 1 } },
    })
  })

  test('are not rewritten when the ledger is opened and they are up to date', async () => {
    await recordCycle()
    const before = await stat(score)
    await (await files.open()).close()
    // A write renames a new file into place, with another inode.
    expect((await stat(score)).ino).toBe(before.ino)
    await writeFile(score, '{"today": "edited by hand"}')
    await (await files.open()).close()
    expect(await json(score)).toMatchObject({ today: { score: 10 } })
  })

  test('have the whole score and progress of the state once the ledger is closed, however many appends there were', async () => {
    const ledger = await files.open()
    await Promise.all(Array.from({ length: 30 }, (_, index) => ledger.append(finishedAttempt(`a${index}`))))
    await ledger.close()
    expect(await json(score)).toEqual(JSON.parse(JSON.stringify(ledger.state.score)))
    expect(await json(progress)).toEqual(JSON.parse(JSON.stringify(ledger.state.progress)))
    expect((await readdir(files.directory)).sort()).toEqual([
      'heartbeat-progress.json',
      'heartbeat-score.json',
      'interventions',
      'ledger',
    ])
  })

  test('are written again after they were deleted', async () => {
    await recordCycle()
    const before = [await readFile(score, 'utf8'), await readFile(progress, 'utf8')]
    await rm(score)
    await rm(progress)
    await (await files.open()).close()
    expect([await readFile(score, 'utf8'), await readFile(progress, 'utf8')]).toEqual(before)
    expect(files.warnings).toEqual([])
  })

  test('follow the ledger, not what someone wrote into them', async () => {
    await recordCycle()
    const forged = await json(score)
    forged.today.score = 999
    await writeFile(score, JSON.stringify(forged))
    const ledger = await files.open()
    expect(ledger.state.score.today.score).toBe(10)
    await ledger.close()
    expect((await json(score)).today.score).toBe(10)
  })

  test.each([
    ['invalid JSON', '{"today":'],
    ['empty', ''],
    ['of another shape', '{"today":{},"history":[],"lifetime":{}}'],
    ['of wrong types', '[]'],
    ['enormous', ' '.repeat(17 * 1024 * 1024)],
  ])('that are %s are set aside with a warning and written again', async (_name, text) => {
    await recordCycle()
    const before = await readFile(score, 'utf8')
    await writeFile(score, text)
    await (await files.open()).close()
    expect(await readFile(score, 'utf8')).toBe(before)
    expect(await readFile(`${score}.corrupt-2026-03-01T10-00-00-000Z`, 'utf8')).toBe(text)
    expect(files.warnings.join()).toContain('set aside')
  })

  test('that are garbled while they are open are set aside before they are rewritten', async () => {
    await recordCycle()
    const ledger = await files.open()
    await writeFile(score, '{"today":')
    await ledger.append(finishedAttempt('two'))
    await ledger.close()
    expect((await json(score)).today.verifiedCount).toBe(2)
    const aside = (await readdir(files.directory)).filter((name) => name.includes('score.json.corrupt-'))
    expect(await Promise.all(aside.map((name) => readFile(join(files.directory, name), 'utf8')))).toEqual([
      '{"today":',
    ])
    expect(files.warnings.join()).toContain('set aside')
  })

  test.each(documents.map(({ name }) => name))(
    '%s is complete again after a power cut left it empty or truncated',
    async (name) => {
      await recordCycle()
      const path = join(files.directory, name)
      const before = await readFile(path)
      for (const left of [
        Buffer.alloc(0),
        Buffer.alloc(before.length),
        before.subarray(0, before.length / 2),
      ]) {
        await writeFile(path, left)
        await (await files.open()).close()
        expect(await readFile(path)).toEqual(before)
      }
      await rm(path)
      await (await files.open()).close()
      expect(await readFile(path)).toEqual(before)
    },
  )

  test('are both kept when two are set aside in the same moment', async () => {
    await recordCycle()
    for (const text of ['first', 'second']) {
      await writeFile(progress, text)
      await (await files.open()).close()
    }
    const aside = (await readdir(files.directory)).filter((name) => name.includes('.corrupt-'))
    const kept = await Promise.all(aside.map((name) => readFile(join(files.directory, name), 'utf8')))
    expect(kept.sort()).toEqual(['first', 'second'])
  })

  test('of an older version without our own fields are not damaged', async () => {
    await recordCycle()
    const { target: _target, judgedCount: _judged, ...today } = (await json(score)).today
    await writeFile(score, JSON.stringify({ ...(await json(score)), today }))
    await (await files.open()).close()
    expect(files.warnings).toEqual([])
  })

  test('that cannot be written are logged, and recording continues', async () => {
    await recordCycle()
    // A folder at the temporary file's path stops even root.
    await mkdir(`${score}.tmp`)
    const ledger = await files.open()
    await ledger.append(finishedAttempt('two'))
    await ledger.close()
    expect(files.warnings.join()).toMatch(/Documents could not be written.*heartbeat-score\.json/)
    expect((await json(score)).today.score).toBe(10)

    await rm(`${score}.tmp`, { recursive: true })
    await (await files.open()).close()
    expect((await json(score)).today.score).toBe(20)
  })
})
