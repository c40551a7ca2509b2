import { join } from 'node:path'
import { z } from 'zod'
import type { JudgedTests } from '../../core/judgement/judgement.ts'
import {
  afterOperator,
  afterUndo,
  afterWork,
  type KnownByCheck,
  type KnownTests,
  NOTHING_KNOWN,
  type TestsRun,
} from '../../core/reports/known-tests.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'
import { keepFile } from './keep-file.ts'

const names = z.array(z.string())
const documentSchema = z.object({
  $schema: z.literal('pulseward.known-tests.v1'),
  /** Name of the guarded files as the last attempt left them; `null`: unknown. */
  leftAs: z.string().nullable(),
  checks: z.array(z.tuple([z.string(), z.object({ names, gone: names, last: names.nullable() })])),
  /** What held attempts lost, by attempt and check, newest last. */
  held: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), names]))])),
})

/** Of one check; `last`: what the last attempt executed, `null` where its check did not run. */
interface Entry extends KnownTests {
  readonly last: readonly string[] | null
}

interface Known {
  readonly leftAs: string | null
  readonly checks: ReadonlyMap<string, Entry>
  readonly held: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
}

const NOTHING: Known = { leftAs: null, checks: new Map(), held: new Map() }
const MAX_BYTES = 64 * 1024 * 1024
/** Held attempts whose losses are kept for an answer. */
const MAX_HELD = 20

/** The names of tests that verified work executed, on disk beside the base. Never rejects. */
export function createKnownTests(directory: string, log: Pick<Log, 'warn'>) {
  const path = join(directory, 'known-tests.json')
  let loaded: Known | null = null

  async function load(): Promise<Known> {
    loaded ??= await readDocument(path)
    return loaded
  }

  async function save(next: Known): Promise<void> {
    if (next === loaded) return
    loaded = next
    const held = [...next.held].map(([id, lost]) => [id, [...lost]])
    const document = { $schema: 'pulseward.known-tests.v1', ...next, checks: [...next.checks], held }
    await keepFile(path, JSON.stringify(document), log)
  }

  return {
    read: async (): Promise<KnownByCheck> => (await load()).checks,

    /** Whether guarded files are not as the last attempt left them. */
    isTouched: async (name: string | null): Promise<boolean> => {
      const { leftAs } = await load()
      return leftAs !== null && name !== null && leftAs !== name
    },

    leftAs: async (name: string | null): Promise<void> => {
      const known = await load()
      if (known.leftAs !== name) await save({ ...known, leftAs: name })
    },

    saw: async (reports: ReadonlyMap<string, TestReport>): Promise<void> => {
      const known = await load()
      const seen = [...known.checks].map(([check, entry]): [string, Entry] => {
        const report = reports.get(check)
        if (report === undefined || entry.last === null) return [check, entry]
        const after = afterOperator(entry, entry.last, report)
        return [check, after === entry ? entry : { ...entry, ...after }]
      })
      if (seen.some(([check, entry]) => known.checks.get(check) !== entry))
        await save({ ...known, checks: new Map(seen) })
    },

    judged: async (attemptId: string, { standing, runs }: JudgedTests): Promise<void> => {
      const known = await load()
      if (runs.size === 0 && known.checks.size === 0) return
      const checks = new Map(
        [...new Set([...known.checks.keys(), ...runs.keys()])].map((check): [string, Entry] => {
          const entry = known.checks.get(check) ?? { ...NOTHING_KNOWN, last: null }
          const run = runs.get(check)
          const after = run !== undefined && standing === 'known' ? afterWork(entry, run) : entry
          return [check, { ...after, last: run?.executed ?? null }]
        }),
      )
      const lost = [...runs].flatMap(([check, run]): [string, readonly string[]][] =>
        run.lost.length === 0 ? [] : [[check, run.lost]],
      )
      const held =
        standing === 'held' && lost.length > 0
          ? new Map([...known.held, [attemptId, new Map(lost)] as const].slice(-MAX_HELD))
          : known.held
      await save({ ...known, checks, held })
    },

    accept: async (attemptIds: readonly string[]): Promise<void> => answer(attemptIds, afterWork),
    undo: async (attemptIds: readonly string[]): Promise<void> => answer(attemptIds, afterUndo),
  }

  async function answer(
    attemptIds: readonly string[],
    after: (known: KnownTests, run: TestsRun) => KnownTests,
  ): Promise<void> {
    const known = await load()
    const checks = new Map(known.checks)
    for (const id of attemptIds)
      for (const [check, lost] of known.held.get(id) ?? []) {
        const entry = checks.get(check) ?? { ...NOTHING_KNOWN, last: null }
        checks.set(check, { ...entry, ...after(entry, { executed: [], lost }) })
      }
    await save({ ...known, checks })
  }
}

async function readDocument(path: string): Promise<Known> {
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok) return NOTHING
  try {
    const { leftAs, checks, held } = documentSchema.parse(JSON.parse(reading.bytes.toString('utf8')))
    return {
      leftAs,
      checks: new Map(checks),
      held: new Map(held.map(([id, lost]) => [id, new Map(lost)])),
    }
  } catch {
    return NOTHING
  }
}
