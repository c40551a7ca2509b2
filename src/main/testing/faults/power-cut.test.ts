import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../ledger/verify.ts'
import { seededNumbers } from '../seeded-numbers.ts'
import { openFaultShim } from './fault-shim.ts'
import { CUTS, CuttableDisk, readJournal } from './power-cut.ts'
import { openSampleLedger } from './sample-ledger.ts'
import { type Answer, startWriter } from './writer.ts'

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
const MOMENTS = Number(process.env.PULSEWARD_POWER_CUTS ?? 25)

async function expectWhole(root: string, acknowledged: readonly string[]): Promise<void> {
  const told: string[] = []
  const ledger = await openSampleLedger(
    root,
    (message, fields) => void told.push(`${message} ${JSON.stringify(fields)}`),
  )
  const events = await ledger.read(1, Number.MAX_SAFE_INTEGER)
  const ids = events.flatMap((event) =>
    event.type === 'diagnostic-raised'
      ? [`${event.seq} ${event.message}`]
      : event.type === 'attempt-finished'
        ? [`${event.seq} ${event.result.attemptId}`]
        : [],
  )
  expect(
    acknowledged.filter((id) => !ids.includes(id)),
    told.join('\n'),
  ).toEqual([])
  // A record shortened by a power cut is not a rollback if nothing acknowledged is missing.
  expect({ problems: ledger.problems, broken: ledger.broken() }).toEqual({ problems: [], broken: [] })
  await ledger.close()
  expect((await verifyLedger(join(root, 'data', 'workspaces', 'one'))).problems).toEqual([])
  const settings = await readFile(join(root, 'data', 'settings.json'), 'utf8').catch(() => '{}')
  expect(() => JSON.parse(settings), settings).not.toThrow()
}

test(`whatever the disk had not synced when the power went, nothing acknowledged is lost (PULSEWARD_TEST_SEED=${seed})`, async (context) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-power-')))
  const root = join(base, 'root')
  await mkdir(root)
  const shim = openFaultShim(root, { withJournal: true })
  if (typeof shim === 'string') return context.skip(shim)
  try {
    const writer = await startWriter(root, shim)
    for (let round = 0; round < 5; round += 1) {
      for (let times = 0; times < 5; times += 1) await writer.ask('append')
      await writer.ask('settings')
      await writer.ask('workspace')
      await writer.ask('reopen')
    }
    writer.child.stdin?.end()
    await once(writer.child, 'exit')

    const steps = readJournal(shim.journal())
    const random = seededNumbers(seed)
    const moments = new Set(Array.from({ length: MOMENTS }, () => Math.floor(random() * steps.length)))
    const disk = new CuttableDisk(root)
    const acknowledged: string[] = []
    let tried = 0
    for (const [index, step] of steps.entries()) {
      disk.take(step)
      if (step.kind === 'say') acknowledged.push(...((JSON.parse(step.body.toString()) as Answer).said ?? []))
      if (!moments.has(index)) continue
      for (const cut of CUTS) {
        const after = join(base, `after-${index}-${cut}`)
        disk.cut(after, cut, random)
        await expectWhole(after, acknowledged)
        await rm(after, { recursive: true })
        tried += 1
      }
    }
    expect(acknowledged.length).toBe(50)
    expect(tried).toBeGreaterThan(MOMENTS)
  } finally {
    shim.remove()
    await rm(base, { recursive: true, force: true })
  }
}, 120_000)
