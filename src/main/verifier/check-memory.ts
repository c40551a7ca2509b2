import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'
import {
  isWorthKeeping,
  type KeptAnswer,
  mayKeep,
  recall,
  type Surroundings,
} from '../../core/judgement/reuse.ts'
import type { MeasuredCheck } from '../../core/record/costs.ts'
import { digestOf, type FolderPrint, printFolder, touchedBetween } from '../files/folder-print.ts'
import { realpathSync } from '../files/names.ts'
import type { CheckMemory, ReusableCheck, ReuseCheck } from '../ports/check-memory.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { printTools } from './tools-print.ts'

export interface CheckMemoryOptions {
  /** Absolute path of the workspace. */
  readonly directory: string
  /** Returns the top of its repository, or the workspace if it is in none. */
  readonly top: () => string
  /** Pulseward's own folders. */
  readonly excluded: readonly string[]
  readonly version: string
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
  /** Returns a text that changes with the settings outside the tree that affect checks. */
  readonly outside: () => Promise<string>
  /** Returns whether git ignores these paths of the workspace. */
  readonly areIgnored: (paths: readonly string[]) => Promise<readonly boolean[]>
  /** Returns whether a check runs although its answer is known: a few percent, at random. */
  readonly draw: () => boolean
  /** Called when a check answered differently although nothing had changed. */
  readonly differed: (check: MeasuredCheck) => Promise<void>
}

interface Kept extends KeptAnswer {
  readonly answer: unknown
  readonly said: string
}

/** The state of the tree that the answers are about. */
interface KeptTree {
  readonly digest: string
  readonly hashed: ReadonlySet<string>
}

/** An answer from the attempt being judged. */
interface Measured {
  readonly check: ReusableCheck<never>
  readonly answer: unknown
  readonly said: string
  readonly ranMs: number
  readonly atMs: number
  readonly tools: string
}

/** An attempt that is being judged. */
interface Attempt {
  readonly print: FolderPrint
  readonly outside: string
  readonly configuration: string
  readonly measured: Map<string, Measured>
}

/** The longest answer that is kept, in characters. */
const MAX_SAID = 1024 * 1024
/** More files than checks keep in caches; git has to be asked about each. */
const MAX_TOUCHED = 2000

export function createCheckMemory(options: CheckMemoryOptions): CheckMemory {
  return new OwnMemory(options)
}

class OwnMemory implements CheckMemory {
  readonly #options: CheckMemoryOptions
  /** Incremented whenever known answers become outdated. */
  #turn = 0
  #kept: ReadonlyMap<string, Kept> = new Map()
  #tree: KeptTree | null = null
  /** Answers from before the agent ran. */
  #former: ReadonlyMap<string, Kept> = new Map()
  #attempt: Attempt | null = null
  readonly #differed = new Set<string>()
  /** How long each check took. */
  readonly #ranMs = new Map<string, number>()
  /** How long looking at the tree takes. */
  #lookMs = 0

  constructor(options: CheckMemoryOptions) {
    this.#options = options
  }

  recalling(config: WorkspaceConfig): ReuseCheck {
    const around = once(() => this.#lookAround(config))
    return this.#sharing((key, check, run) => this.#recall(key, check, run, around))
  }

  agentStarts(): void {
    this.#turn += 1
    this.#former = this.#kept
    this.#kept = new Map()
    this.#attempt = null
  }

  async measuring(config: WorkspaceConfig): Promise<ReuseCheck> {
    this.#turn += 1
    this.#attempt = await this.#begin(config)
    const attempt = this.#attempt
    const isUntouched = attempt !== null && digestOf(attempt.print) === this.#tree?.digest
    return this.#sharing(async (key, check, run) => {
      const tools = attempt === null ? '' : printTools(check.searchPath, check.program)
      const { answer, said, ranMs } = await this.#timed(key, check, run)
      if (attempt === null || said === null) return answer
      attempt.measured.set(key, { check, answer, said, ranMs, atMs: this.#nowMs(), tools })
      const former = this.#former.get(key)
      const isSame = former?.settings === digestText(check.settings) && former.surroundings.tools === tools
      if (isUntouched && isSame && former.said !== said) await this.#differs(key, check)
      return answer
    })
  }

  doubt(): void {
    this.#attempt = null
  }

  async settle(): Promise<void> {
    const attempt = this.#attempt
    this.#attempt = null
    this.#former = new Map()
    try {
      if (attempt !== null) await this.#keep(attempt)
    } catch (error) {
      this.#options.log.warn('What checks said is not kept', { error: String(error) })
    }
  }

  async #begin(config: WorkspaceConfig): Promise<Attempt | null> {
    const isWorth = [...this.#ranMs.values()].some((ranMs) => isWorthKeeping(ranMs, this.#lookMs))
    const print = isWorth ? await this.#look(this.#tree?.hashed) : null
    if (print === null) return null
    const outside = await this.#options.outside()
    return { print, outside, configuration: this.#configuration(config), measured: new Map() }
  }

  async #keep({ print, outside, configuration, measured }: Attempt): Promise<void> {
    const worth = [...measured].filter(
      ([key, { ranMs }]) => !this.#differed.has(key) && isWorthKeeping(ranMs, this.#lookMs),
    )
    const end = worth.length === 0 ? null : await this.#look(print.hashed)
    if (end === null) return
    const changed = await this.#whatChanged(print, end)
    if (changed === null) return
    const outsideNow = await this.#options.outside()
    const tree = { digest: digestOf(end), hashed: end.hashed }
    const kept = worth.flatMap(([key, { check, answer, said, atMs, tools }]): [string, Kept][] => {
      const now: Surroundings = {
        tree: tree.digest,
        outside: outsideNow,
        tools: printTools(check.searchPath, check.program),
        configuration,
      }
      const isKept = mayKeep({ start: { outside, tools, configuration }, end: now, changed })
      const settings = digestText(check.settings)
      return isKept ? [[key, { surroundings: now, settings, atMs, answer, said }]] : []
    })
    this.#tree = tree
    this.#kept = new Map(kept)
  }

  /** Returns `null` if too many files changed to list them. */
  async #whatChanged(
    start: FolderPrint,
    end: FolderPrint,
  ): Promise<readonly { path: string; isIgnored: boolean }[] | null> {
    const real = realpathSync(this.#options.directory)
    const paths = touchedBetween(start, end).map((path) => relative(real, path).replaceAll(sep, '/'))
    if (paths.length > MAX_TOUCHED) return null
    const ignored = paths.length === 0 ? [] : await this.#options.areIgnored(paths)
    return paths.map((path, at) => ({ path, isIgnored: ignored[at] === true }))
  }

  async #recall<Answer>(
    key: string,
    check: ReusableCheck<Answer>,
    run: () => Promise<Answer>,
    around: () => Promise<Omit<Surroundings, 'tools'>>,
  ): Promise<Answer> {
    const kept = this.#kept.get(key)
    const what =
      kept === undefined
        ? 'run'
        : recall(
            kept,
            {
              surroundings: { ...(await around()), tools: printTools(check.searchPath, check.program) },
              settings: digestText(check.settings),
              atMs: this.#nowMs(),
            },
            { isDrawn: this.#options.draw(), hasDiffered: this.#differed.has(key) },
          )
    // Safe: only answers of the same check are stored under its key.
    if (kept !== undefined && what === 'reuse') return kept.answer as Answer
    const { answer, said } = await this.#timed(key, check, run)
    if (what === 'compare' && said !== null && said !== kept?.said) await this.#differs(key, check)
    return answer
  }

  /** Runs each check once for everyone who asks, until an agent starts. */
  #sharing(
    answer: <Answer>(
      key: string,
      check: ReusableCheck<Answer>,
      run: () => Promise<Answer>,
    ) => Promise<Answer>,
  ): ReuseCheck {
    const turn = this.#turn
    const shared = new Map<string, Promise<unknown>>()
    return async <Answer>(check: ReusableCheck<Answer>, run: () => Promise<Answer>): Promise<Answer> => {
      if (turn !== this.#turn) return run()
      const key = `${check.kind} ${check.name}`
      const running = shared.get(key) ?? answer(key, check, run)
      shared.set(key, running)
      // Safe, for the same reason.
      return running as Promise<Answer>
    }
  }

  async #timed<Answer>(
    key: string,
    check: ReusableCheck<Answer>,
    run: () => Promise<Answer>,
  ): Promise<{ answer: Answer; said: string | null; ranMs: number }> {
    const answer = await run()
    const ranMs = check.ranMs()
    const text = check.said(answer)
    const said = text !== null && text.length > MAX_SAID ? null : text
    if (said !== null) this.#ranMs.set(key, ranMs)
    return { answer, said, ranMs }
  }

  async #differs(key: string, { kind, name }: MeasuredCheck): Promise<void> {
    if (this.#differed.has(key)) return
    this.#differed.add(key)
    await this.#options.differed({ kind, name })
  }

  async #lookAround(config: WorkspaceConfig): Promise<Omit<Surroundings, 'tools'>> {
    const print = await this.#look(this.#tree?.hashed)
    return {
      tree: print === null ? null : digestOf(print),
      outside: await this.#options.outside(),
      configuration: this.#configuration(config),
    }
  }

  async #look(hashed?: ReadonlySet<string>): Promise<FolderPrint | null> {
    const { top, excluded } = this.#options
    const print = await printFolder(top(), excluded, hashed)
    // If looking at the tree fails repeatedly, it soon counts as too slow to be worth it.
    this.#lookMs = print?.tookMs ?? 10 * Math.max(1, this.#lookMs)
    return print
  }

  #configuration(config: WorkspaceConfig): string {
    return digestText(JSON.stringify([this.#options.version, process.platform, config]))
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs()
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null
  return () => (made ??= make())
}

function digestText(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
