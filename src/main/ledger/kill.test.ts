import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../core/record/events.ts'
import { fold } from '../../core/record/fold.ts'
import { seededNumbers } from '../testing/seeded-numbers.ts'
import { claimDataFolder } from './data-folder.ts'
import { openLedger } from './ledger.ts'
import { verifyLedger } from './verify.ts'

const program = fileURLToPath(new URL('./testing/append-until-killed.ts', import.meta.url))
const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 31))
/** Two folders at a time, since every machine has at least two cores. 208 kills if the workflows ask for it, 32 otherwise. */
const [FOLDERS, KILLS_EACH] = process.env.PULSEWARD_TEST_THOROUGH === undefined ? [2, 16] : [4, 52]
const CHECK_EVERY = 4

const roots: string[] = []
let compileCache = ''

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-kill-'))
  roots.push(folder)
  return folder
}

/** With its compiled code cached the program starts three times as fast; only a run that ends by itself writes the cache. */
beforeAll(async () => {
  compileCache = await temporaryFolder()
  const folder = await temporaryFolder()
  const claim = await claimDataFolder(folder)
  const [code] = await once(start(folder, 'refused'), 'exit')
  expect({ kind: claim.kind, code }).toEqual({ kind: 'owner', code: 3 })
})

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true })
})

describe(`killed at random moments (PULSEWARD_TEST_SEED=${seed})`, () => {
  for (let first = 0; first < FOLDERS; first += 2) {
    test(`folders ${first + 1} and ${first + 2}: ${2 * KILLS_EACH} kills lose no acknowledged event and leave no document unreadable`, async () => {
      await Promise.all([killRepeatedly(first), killRepeatedly(first + 1)])
    }, 240_000)
  }
})

interface Acknowledged {
  readonly seq: number
  readonly id: string
}

async function killRepeatedly(folderNumber: number): Promise<void> {
  const random = seededNumbers(seed + folderNumber)
  const folder = await temporaryFolder()
  const acknowledged: Acknowledged[] = []
  for (let kill = 1; kill <= KILLS_EACH; kill += 1) {
    acknowledged.push(...(await runAndKill(folder, `k${kill}`, random)))
    await expectReadableDocuments(folder)
    if (kill % CHECK_EVERY === 0) await expectNothingLost(folder, acknowledged)
  }
  // Without acknowledged events the test would prove nothing.
  expect(acknowledged.length).toBeGreaterThan(KILLS_EACH)
}

function start(folder: string, prefix: string) {
  return spawn(process.execPath, [program, folder, prefix], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
}

/** Runs the appending program, kills it at a random moment and returns the events it had acknowledged by then. */
async function runAndKill(folder: string, prefix: string, random: () => number): Promise<Acknowledged[]> {
  const child = start(folder, prefix)
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const exited = once(child, 'exit')
  const closed = once(child, 'close')
  const lines: string[] = []
  // Line 1 is the claimed folder, line 2 the opened ledger: a third of the kills hit loading and compression.
  const linesToWait = random() < 0.35 ? 1 + Math.floor(random() * 2) : 3 + Math.floor(random() * 40)
  const jitterMs = random() < 0.3 ? 0 : random() * 8
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) !== linesToWait) continue
    // Uses the real clock on purpose: it must hit at a moment the program does not choose.
    if (jitterMs > 0) await delay(jitterMs)
    child.kill('SIGKILL')
  }
  const [[, signal]] = await Promise.all([exited, closed])
  // If it exits early by itself (lock not taken over, problems in the ledger), fail with the reason.
  expect({ signal, complaints: withoutTornLines(complaints) }).toEqual({ signal: 'SIGKILL', complaints: '' })
  return lines.flatMap((line) => {
    const match = /^(\d+) (\S+)$/.exec(line)
    return match?.[1] === undefined || match[2] === undefined ? [] : [{ seq: Number(match[1]), id: match[2] }]
  })
}

/** A kill may leave a torn line; nothing else may be logged. */
function withoutTornLines(complaints: string): string {
  return complaints
    .split('\n')
    .filter((line) => !line.startsWith('The ledger ended in a torn line'))
    .join('\n')
}

async function expectReadableDocuments(folder: string): Promise<void> {
  for (const name of ['heartbeat-score.json', 'heartbeat-progress.json']) {
    const text = await readFile(join(folder, 'workspaces', 'one', name), 'utf8').catch(() => null)
    if (text !== null) expect(() => JSON.parse(text), `${name}: ${text.slice(0, 100)}`).not.toThrow()
  }
}

async function expectNothingLost(folder: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const claim = await claimDataFolder(folder)
  if (claim.kind !== 'owner') throw new Error(`the dead owner's lock was not taken over: ${claim.pid}`)
  const directory = join(folder, 'workspaces', 'one')
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const ledger = await openLedger({
    directory,
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now(), sleep: () => Promise.resolve() },
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
    log,
  })
  try {
    expect(ledger.problems).toEqual([])
    const events = await ledger.read(1, Number.MAX_SAFE_INTEGER)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    const ids = events.map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(acknowledged.filter(({ seq, id }) => ids[seq - 1] !== id)).toEqual([])
    expect(ledger.state).toEqual(fold(events))
    expect(await verifyLedger(directory)).toEqual({ events: events.length, problems: [] })
  } finally {
    await ledger.close()
    await claim.release()
  }
  // If all kills so far came before the first event, there is no score yet.
  if (ledger.state.seq === 0) return
  const score = JSON.parse(await readFile(join(directory, 'heartbeat-score.json'), 'utf8'))
  expect(score).toEqual(JSON.parse(JSON.stringify(ledger.state.score)))
}

function idOf(event: RecordedEvent): string {
  if (event.type === 'diagnostic-raised') return event.message
  if (event.type === 'attempt-finished') return event.result.attemptId
  throw new Error(`an event nobody appended: ${event.type}`)
}
