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
import { readStored } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'
import { keepFile } from './keep-file.ts'

const names = z.array(z.string())
const documentSchema = z.object({
  $schema: z.literal('pulseward.known-tests.v1'),
  /** Name of the guarded files as the last attempt left them; `null` if unknown. */
  leftAs: z.string().nullable(),
  checks: z.array(z.tuple([z.string(), z.object({ names, gone: names, last: names.nullable() })])),
  /** The tests that held attempts lost, by attempt and check, newest last. */
  held: z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), names]))])),
})

/** The known tests of one check; `last`: what the last attempt executed, `null` if its check did not run or the attempt was cut off. */
interface Entry extends KnownTests {
  readonly last: readonly string[] | null
}

interface Known {
  readonly leftAs: string | null
  readonly checks: ReadonlyMap<string, Entry>
  readonly held: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
}

const UNKNOWN: Entry = { ...NOTHING_KNOWN, last: null }
const NOTHING: Known = { leftAs: null, checks: new Map(), held: new Map() }
const MAX_BYTES = 64 * 1024 * 1024
/** How many held attempts keep their lost tests for an answer. */
const MAX_HELD = 20

/** Stores on disk, next to the baseline, the names of the tests that verified work executed. Never rejects. */
export class KnownTestsFile {
  private readonly path: string
  private readonly log: Pick<Log, 'warn'>
  private loaded: Known | null = null

  constructor(directory: string, log: Pick<Log, 'warn'>) {
    this.path = join(directory, 'known-tests.json')
    this.log = log
  }

  async read(): Promise<KnownByCheck> {
    return (await this.load()).checks
  }

  /** Returns whether guarded files differ from how the last attempt left them. */
  async isTouched(name: string | null): Promise<boolean> {
    const { leftAs } = await this.load()
    return leftAs !== null && name !== null && leftAs !== name
  }

  async leftAs(name: string | null): Promise<void> {
    const known = await this.load()
    if (known.leftAs !== name) await this.save({ ...known, leftAs: name })
  }

  /** `name`: identifies the current state of the guarded files. */
  async saw(reports: ReadonlyMap<string, TestReport>, name: string | null): Promise<void> {
    const isTouched = await this.isTouched(name)
    await this.save(afterSeeing(await this.load(), reports, isTouched))
  }

  /** Called when an attempt was cut off: tests that are gone since the last one may have been removed by it rather than by the operator. */
  async cutOff(): Promise<void> {
    await this.save(afterCutOff(await this.load()))
  }

  async judged(attemptId: string, tests: JudgedTests): Promise<void> {
    await this.save(afterAttempt(await this.load(), attemptId, tests))
  }

  async accept(attemptIds: readonly string[]): Promise<void> {
    await this.save(afterAnswer(await this.load(), attemptIds, afterWork))
  }

  async undo(attemptIds: readonly string[]): Promise<void> {
    await this.save(afterAnswer(await this.load(), attemptIds, afterUndo))
  }

  private async load(): Promise<Known> {
    this.loaded ??= await readDocument(this.path)
    return this.loaded
  }

  private async save(next: Known): Promise<void> {
    if (next === this.loaded) return
    this.loaded = next
    const held = [...next.held].map(([id, lost]) => [id, [...lost]])
    const document = { $schema: 'pulseward.known-tests.v1', ...next, checks: [...next.checks], held }
    await keepFile(this.path, JSON.stringify(document), this.log)
  }
}

function afterCutOff(known: Known): Known {
  if ([...known.checks.values()].every(({ last }) => last === null)) return known
  const checks = [...known.checks].map(([check, entry]): [string, Entry] => [check, { ...entry, last: null }])
  return { ...known, checks: new Map(checks) }
}

function afterSeeing(known: Known, reports: ReadonlyMap<string, TestReport>, isTouched: boolean): Known {
  const checks = [...known.checks].map(([check, entry]): [string, Entry] => {
    const report = reports.get(check)
    if (report === undefined || entry.last === null) return [check, entry]
    const after = afterOperator(entry, entry.last, report, isTouched)
    return [check, after === entry ? entry : { ...entry, ...after }]
  })
  return checks.every(([check, entry]) => known.checks.get(check) === entry)
    ? known
    : { ...known, checks: new Map(checks) }
}

function afterAttempt(known: Known, attemptId: string, { standing, runs }: JudgedTests): Known {
  const names = new Set([...known.checks.keys(), ...runs.keys()])
  if (names.size === 0) return known
  const checks = [...names].map((check): [string, Entry] => {
    const entry = known.checks.get(check) ?? UNKNOWN
    const run = runs.get(check)
    const after = run !== undefined && standing === 'known' ? afterWork(entry, run) : entry
    return [check, { ...after, last: run?.executed ?? null }]
  })
  return {
    ...known,
    checks: new Map(checks),
    held: standing === 'held' ? withHeld(known.held, attemptId, runs) : known.held,
  }
}

function withHeld(held: Known['held'], attemptId: string, runs: JudgedTests['runs']): Known['held'] {
  const lost = [...runs].flatMap(([check, run]): [string, readonly string[]][] =>
    run.lost.length === 0 ? [] : [[check, run.lost]],
  )
  return lost.length === 0 ? held : new Map([...held, [attemptId, new Map(lost)] as const].slice(-MAX_HELD))
}

function afterAnswer(
  known: Known,
  attemptIds: readonly string[],
  after: (known: KnownTests, run: TestsRun) => KnownTests,
): Known {
  const lost = attemptIds.flatMap((id) => [...(known.held.get(id) ?? [])])
  if (lost.length === 0) return known
  const checks = new Map(known.checks)
  for (const [check, names] of lost) {
    const entry = checks.get(check) ?? UNKNOWN
    checks.set(check, { ...entry, ...after(entry, { executed: [], lost: names }) })
  }
  return { ...known, checks }
}

async function readDocument(path: string): Promise<Known> {
  const stored = await readStored(documentSchema, path, MAX_BYTES)
  if (stored === null) return NOTHING
  const { leftAs, checks, held } = stored
  return {
    leftAs,
    checks: new Map(checks),
    held: new Map(held.map(([id, lost]) => [id, new Map(lost)])),
  }
}
