import { join } from 'node:path'
import { isAtOrBelow, onlyCaches } from '../../core/custody/cache-places.ts'
import { isReadable } from '../../core/custody/compiled.ts'
import type { CheckScript } from '../../core/custody/failing-end.ts'
import { GIT_INDEX, GIT_RULES } from '../../core/custody/git-view.ts'
import { placedFile } from '../../core/custody/package-places.ts'
import { isInCache } from '../../core/custody/tool-caches.ts'
import type { UncommittedView } from '../../core/custody/uncommitted-view.ts'
import { ELSEWHERE } from '../../core/judgement/decide-custody.ts'
import type { JudgedTests } from '../../core/judgement/judgement.ts'
import type { HeldDecision } from '../../core/vocabulary/held.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  AcceptedWork,
  AnswerEffect,
  BaseDifference,
  BaseMove,
  BaseReports,
  CheckConfiguration,
  Custody,
  EarlierFiles,
  LeftPath,
  OpenedRoom,
  ReachingSource,
} from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'
import { type AgentTimes, CLOCK_MS, createAgentTimes } from './agent-times.ts'
import { asUncommitted } from './as-uncommitted.ts'
import {
  acceptedPaths,
  leftBy,
  leftNowBy,
  onlyPaths,
  remembered,
  setOrDelete,
  splitUndo,
  withBase,
} from './base-answers.ts'
import { differencesFromBase } from './base-differences.ts'
import type { BaseState } from './base-files.ts'
import { moveBase } from './base-move.ts'
import { baseName, createBaseReports } from './base-reports.ts'
import { CheckGuard } from './check-guard.ts'
import { checksOf, describeInstrument, describeTakenIn, fileProbesOf, reachOf } from './check-reach.ts'
import { createRoomMaker } from './clean-room.ts'
import type { ContentStore } from './content-store.ts'
import { createDependencyCustody, type DependencyCustody } from './dependency-custody.ts'
import { placeOf } from './git-places.ts'
import { IndexCustody } from './index-custody.ts'
import { KnownTestsFile } from './known-tests.ts'
import { createOutsideCustody, type OutsideCustody } from './outside-custody.ts'
import { createReachingSources, type ReachingSources } from './reaching-sources.ts'
import { restoreBase } from './restore-base.ts'
import { planRoom, splitPlan, withEarlier } from './room-plan.ts'
import { type GuardedFiles, scanGuarded } from './scan.ts'
import { clearCaches, clearCachesOfUser } from './tool-caches.ts'
import { WorkspaceBase } from './workspace-base.ts'

export interface CustodyOptions {
  /** The workspace's folder. */
  readonly directory: string
  /** The folder for the baseline and the rooms: the workspace's part of the data folder. */
  readonly dataDirectory: string
  readonly store: ContentStore
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
  /** Absolute paths of Pulseward's own folders, which may be in the tree. */
  readonly excluded: readonly string[]
  /**
   * Resolves with a function that tells whether a change at that time (epoch ms) was made while an agent of another workspace could write
   * here; omitted: none could.
   */
  readonly ranElsewhere?: () => Promise<(changedMs: number) => boolean>
  /** For a tree: the custody of the folder that it was made from, which knows what earlier attempts changed there. */
  readonly origin?: Pick<Custody, 'dependencies' | 'outside'>
}

/**
 * Creates the custody of one workspace. Only `begin` (for what changed while no agent ran), `settle`, `accept` and `approve` move the
 * baseline. Calls run one after the other.
 */
export function createCustody(options: CustodyOptions): Custody {
  return new WorkspaceCustody(options)
}

class WorkspaceCustody implements Custody {
  private readonly options: CustodyOptions
  private readonly base: WorkspaceBase
  private readonly checks: CheckGuard
  private readonly index: IndexCustody
  private readonly known: ReturnType<typeof createBaseReports>
  private readonly tests: KnownTestsFile
  private readonly rooms: ReturnType<typeof createRoomMaker>
  private readonly times: AgentTimes
  private readonly installed: DependencyCustody
  private readonly beyond: OutsideCustody
  private readonly sources: ReachingSources
  private readonly inTurn = createSerializer()
  /** The guarded files as last seen. */
  private now: GuardedFiles = new Map()
  private swept: Promise<void> | null = null
  private dependencyFolders: readonly string[] = []
  private caches: readonly string[] = []
  /** Files in caches and package folders that git shows: they are part of the work. */
  private tracked: ReadonlySet<string> = new Set()
  /** When the agent was last started, epoch ms. */
  private agentSinceMs = Number.POSITIVE_INFINITY

  constructor(options: CustodyOptions) {
    const { directory, dataDirectory, store, clock, log } = options
    const place = join(dataDirectory, 'custody')
    this.options = options
    this.base = new WorkspaceBase(directory, place, store)
    this.times = createAgentTimes(place, log)
    this.checks = new CheckGuard(this.base, this.times)
    this.index = new IndexCustody(this.base, this.times, log)
    this.known = createBaseReports(place, log)
    this.tests = new KnownTestsFile(place, log)
    this.installed = createDependencyCustody(place, () => this.base.top, this.times, log)
    this.beyond = createOutsideCustody(place, this.times, log)
    this.sources = createReachingSources(place, directory, log)
    this.rooms = createRoomMaker({ directory: join(dataDirectory, 'rooms'), clock })
  }

  begin(configuration: CheckConfiguration): Promise<BaseMove> {
    return this.inTurn(() => this.beginCycle(configuration))
  }

  private async beginCycle(configuration: CheckConfiguration): Promise<BaseMove> {
    const none = { moved: [], unapproved: [], elsewhere: [], isFirst: false }
    if (!this.checks.take(configuration)) return none
    const state = await this.guardAgain(configuration)
    this.now = await this.scan(state)
    if (this.checks.guard?.asksGit === true) this.index.see()
    await this.findTracked(state)
    await this.installed.begin(this.dependencyFolders)
    if (this.checks.guard !== null) await this.beyond.begin(this.checks.guard.outside)
    if (state.base === null) {
      await this.base.save({ ...state, base: this.now })
      return { ...none, isFirst: true }
    }
    return this.takeIn(state, state.base)
  }

  private async findTracked(state: BaseState): Promise<void> {
    const hasPlaces = this.dependencyFolders.some((folder) => placedFile(`${folder}/x`) !== null)
    const scripts = new Set([...this.now.keys()].filter((path) => this.isScript(path)))
    const named = this.checks.guard?.caches ?? []
    const products = this.checks.guard?.products ?? new Set()
    const matters =
      hasPlaces || products.size > 0 || this.caches.length + named.length > 0 || scripts.size > 0
    const isInNamed = (path: string): boolean => named.some((place) => isAtOrBelow(path, place))
    this.tracked = matters
      ? this.index.shownWhere(
          (path) =>
            isInCache(path) ||
            isInNamed(path) ||
            scripts.has(path) ||
            (hasPlaces && placedFile(path) !== null),
        )
      : new Set()
    const shown = [...scripts].filter((path) => this.tracked.has(path))
    if (shown.length === 0) return
    this.checks.addShown(shown)
    this.now = await this.scan(state)
  }

  /** Returns whether a file is loaded instead of a source, unless git shows it. */
  private isScript(path: string): boolean {
    return isReadable(path) && this.checks.guard?.shadowsSource(path) === true
  }

  /** Determines from the baseline what the configuration guards. */
  private async guardAgain(configuration: CheckConfiguration): Promise<BaseState> {
    // Remove rooms that a crash left; only their own workspace does that.
    this.swept ??= this.rooms.sweep()
    await this.swept
    const loaded = await this.base.load()
    await this.base.findPlaces()
    return this.checks.workOut(configuration, loaded)
  }

  private async takeIn(state: BaseState, before: GuardedFiles): Promise<BaseMove> {
    const crashed = await this.times.running()
    if (crashed !== null) {
      await this.tests.cutOff()
      await this.clearCaches(await this.times.has())
    }
    const { next, moved } = await moveBase({
      base: this.base,
      index: this.index,
      state,
      before,
      now: this.now,
      crashed,
      ranElsewhere: (await this.options.ranElsewhere?.()) ?? (() => false),
      isInstrument: (path) => this.checks.isInstrument(path),
    })
    await this.times.ended()
    await this.base.save(next)
    const inWorkspace = (path: string): string => this.base.fromWorkspace(path)
    return {
      moved: moved.map(inWorkspace),
      unapproved: leftBy(next, ['operator'])
        .filter((path) => this.checks.isInstrument(path))
        .map(inWorkspace),
      elsewhere: leftBy(next, [ELSEWHERE]).map(inWorkspace),
      isFirst: false,
    }
  }

  agentStarts(attemptId: string): Promise<void> {
    return this.inTurn(async () => {
      this.agentSinceMs = Date.now() - CLOCK_MS
      if (this.checks.guard !== null) await this.times.starts(attemptId)
    })
  }

  look(configuration?: CheckConfiguration): Promise<readonly BaseDifference[]> {
    return this.inTurn(async () => {
      if (configuration !== undefined && this.checks.guard === null && this.checks.take(configuration))
        this.base.assume(await this.guardAgain(configuration))
      const { guard } = this.checks
      const { state } = this.base
      if (guard === null || state?.base == null) return []
      this.now = await this.scan(state)
      const { base, index, now } = this
      const found = await differencesFromBase({ base, index, guard, state, before: state.base, now })
      return [...found, ...(await this.checks.programDifferences())]
    })
  }

  async lookAfterAgent(isContained: boolean): Promise<readonly BaseDifference[]> {
    const differences = await this.look()
    const sinceMs = this.agentSinceMs
    const isAgents = (changedMs: number): boolean => changedMs >= sinceMs
    await this.inTurn(() => this.clearCaches(isAgents))
    if (!isContained && this.checks.guard !== null) await clearCachesOfUser(isAgents, this.options.log)
    return differences
  }

  private async clearCaches(isAgents: (changedMs: number) => boolean): Promise<void> {
    const { dependencyFolders: dependencies, tracked: kept, base } = this
    const top = base.state?.top
    const caches = [...this.caches, ...onlyCaches(this.checks.guard?.caches ?? [], kept)]
    if (top !== undefined)
      await clearCaches(top, { caches, dependencies }, isAgents, { kept, log: this.options.log })
  }

  programPath(name: string): string | null {
    return this.checks.programPath(name)
  }

  settle(attemptId: string, accepted: readonly string[]): Promise<void> {
    return this.inTurn(async () => {
      const { state } = this.base
      if (this.checks.guard === null || state?.base == null) return
      this.now = await this.scan(state)
      const base = new Map(state.base)
      for (const path of accepted.flatMap((each) => this.base.topPath(each) ?? []))
        setOrDelete(base, path, this.now.get(path) ?? null)
      await this.base.save({ ...state, base, left: leftNowBy(attemptId, base, this.now, state.left) })
      await this.sources.forget(accepted)
      await this.tests.leftAs(this.treeName)
      await this.times.ended()
    })
  }

  noteReaching(attemptId: string, found: readonly Omit<ReachingSource, 'attemptId'>[]): Promise<void> {
    return this.inTurn(() => this.sources.note(attemptId, found))
  }

  reaching(): Promise<readonly ReachingSource[]> {
    return this.inTurn(() => this.sources.waiting())
  }

  dependencies(): Promise<readonly string[]> {
    return this.inTurn(async () => {
      if (this.checks.guard === null) return []
      const touched = await this.installed.touched(this.dependencyFolders, this.tracked)
      const before = (await this.options.origin?.dependencies()) ?? []
      return [...new Set([...touched.map((path) => this.base.fromWorkspace(path)), ...before])]
    })
  }

  outside(): Promise<readonly string[]> {
    return this.inTurn(async () => {
      if (this.checks.guard === null) return []
      const before = (await this.options.origin?.outside()) ?? []
      return [...new Set([...(await this.beyond.touched()), ...before])]
    })
  }

  outsideNow(): Promise<string> {
    return this.inTurn(async () => (this.checks.guard === null ? '' : this.beyond.print()))
  }

  scriptsOf(command: readonly string[]): readonly CheckScript[] {
    return this.checks.scriptsOf(command)
  }

  sees(): UncommittedView | null {
    return this.checks.guard?.sees ?? null
  }

  async baselineContent(path: string): Promise<Buffer | null> {
    const { state } = this.base
    const file = state?.base?.get(this.base.topPath(path) ?? '')
    return file === undefined ? null : this.base.contentOf(file)
  }

  async openRoom(paths: readonly string[], signal: AbortSignal, earlier?: EarlierFiles): Promise<OpenedRoom> {
    const { state, places, directory } = this.base
    if (state?.base == null) return { kind: 'none', reason: 'there is no base yet' }
    const { base, index, now } = this
    const asksGit = this.checks.guard?.asksGit === true
    // A program that a check builds only matches its sources if it is rebuilt from them.
    const isProduct = (path: string): boolean =>
      this.checks.guard?.products.has(path) === true && !this.tracked.has(path)
    const isLeftOut = (path: string): boolean =>
      isProduct(path) || this.checks.guard?.shadowsSource(path) === true
    const plan = await planRoom({ base, index, before: state.base, now, asksGit, isLeftOut }, paths)
    if (typeof plan === 'string') return { kind: 'none', reason: plan }
    const whole = withEarlier(plan, earlier, (path) => this.base.topPath(path))
    const made = await this.rooms.open({ top: state.top, directory, ...splitPlan(whole, places), signal })
    if (made.kind === 'none' || earlier?.uncommitted === undefined) return made
    return { ...made, room: asUncommitted(made.room, earlier.uncommitted) }
  }

  async openJudgeRoom(signal: AbortSignal): Promise<OpenedRoom | null> {
    const steering = await this.inTurn(async () => {
      const { guard } = this.checks
      const { state } = this.base
      if (guard === null || state?.base == null) return null
      this.now = await this.scan(state)
      const { now } = this
      const before = state.base
      return [...new Set([...before.keys(), ...now.keys()])]
        .filter((path) => guard.steersJudge(path) && before.get(path)?.content !== now.get(path)?.content)
        .map((path) => this.base.fromWorkspace(path))
    })
    if (steering === null) return { kind: 'none', reason: 'there is no baseline yet' }
    return steering.length === 0 ? null : this.openRoom(steering, signal)
  }

  /** The name for storing reports of the baseline; `null` if nothing is guarded. */
  private get reportsName(): string | null {
    const base = this.checks.guard === null ? null : (this.base.state?.base ?? null)
    return base === null ? null : baseName(base, this.checks.checks)
  }

  /** A name that identifies the guarded files as last seen; `null` if nothing is guarded. */
  private get treeName(): string | null {
    return this.checks.guard === null ? null : baseName(this.now, this.checks.checks)
  }

  knownTests(): ReturnType<Custody['knownTests']> {
    return this.inTurn(() => this.tests.read())
  }

  isTouched(): Promise<boolean> {
    return this.inTurn(() => this.tests.isTouched(this.treeName))
  }

  sawTests(reports: Parameters<Custody['sawTests']>[0]): Promise<void> {
    return this.inTurn(() => this.tests.saw(reports, this.treeName))
  }

  judgedTests(attemptId: string, judged: JudgedTests): Promise<void> {
    return this.inTurn(() => this.tests.judged(attemptId, judged))
  }

  reports(): Promise<BaseReports> {
    return this.inTurn(async () => {
      const name = this.reportsName
      return name === null ? new Map() : this.known.read(name)
    })
  }

  keepReports(reports: BaseReports): Promise<void> {
    return this.inTurn(async () => {
      const name = this.reportsName
      if (name === null) return
      await this.known.write(name, new Map([...(await this.known.read(name)), ...reports]))
    })
  }

  approve(configuration: CheckConfiguration): Promise<readonly string[]> {
    return this.inTurn(async () => {
      await this.beginCycle(configuration)
      const { state } = this.base
      if (state?.base == null) return []
      const mine = leftBy(state, ['operator', ELSEWHERE])
      await this.beyond.accept()
      const programs = await this.checks.programsNow()
      await this.base.save({ ...withBase(state, state.base, mine, this.now), programs })
      return mine.map((path) => this.base.fromWorkspace(path))
    })
  }

  accept({ answerId, attemptIds, shown, laterIds }: AcceptedWork): Promise<readonly string[]> {
    return this.inTurn(async () => {
      const state = await this.base.load()
      await this.sources.accept(answerId, attemptIds)
      await this.tests.accept(attemptIds)
      if (state.base === null) return []
      // What may have come from another workspace was shown along with it.
      const own = acceptedPaths(state, {
        attemptIds: [...attemptIds, ELSEWHERE],
        shown: new Set(shown.flatMap((path) => this.base.topPath(path) ?? [])),
        laterIds,
      })
      // Lost tests are accepted too, even if no guarded file changed: the known names are collected again.
      await this.known.write('', new Map())
      if (await this.times.forget(attemptIds)) {
        await this.installed.accept()
        await this.beyond.accept()
      }
      const kept = { ...remembered(state, state.base, own), files: new Map() }
      // Use the files as they were judged: what is on disk now may come from another attempt.
      const asLeft = new Map(
        own.flatMap((path) => {
          const file = state.left.get(path)?.file ?? null
          return file === null ? [] : [[path, file] as const]
        }),
      )
      const next = withBase(state, state.base, own, asLeft)
      await this.base.save({ ...next, answers: new Map([...state.answers, [answerId, kept]]) })
      return own.map((path) => this.base.fromWorkspace(path))
    })
  }

  putBack(answerId: string, attemptIds: readonly string[]): Promise<AnswerEffect> {
    return this.inTurn(async () => {
      const state = await this.base.load()
      const { base } = state
      if (base === null) return { restored: [], failed: [] }
      this.now = await this.scan(state)
      const own = leftBy(state, attemptIds)
      const files = new Map(own.map((path) => [path, this.now.get(path) ?? null]))
      const kept = { ...remembered(state, base, own), files }
      const effect = await restoreBase(this.base, this.index, kept.base)
      this.now = await this.scan(state)
      const left = new Map([...state.left].filter(([path]) => !own.includes(path)))
      await this.base.save({ ...state, left, answers: new Map([...state.answers, [answerId, kept]]) })
      return effect
    })
  }

  undoAnswer(attemptId: string, attemptIds: readonly string[], answer: HeldDecision): Promise<AnswerEffect> {
    return this.inTurn(async () => {
      const state = await this.base.load()
      await this.sources.undo(attemptId)
      // A refusal did not change which tests are known, and an acceptance may have changed only that.
      if (answer === 'accept') await this.tests.undo(attemptIds)
      const kept = state.answers.get(attemptId)
      if (kept === undefined || state.base === null) return { restored: [], failed: [] }
      // If no heartbeat has begun in this process, the scan covers only what was left, so add the answer's files.
      this.now = await this.scan({ ...state, left: new Map([...state.left, ...kept.left]) })
      const { stands, changed } = splitUndo(kept, state.base, this.now)
      const effect = await restoreBase(this.base, this.index, onlyPaths(kept.files, stands))
      const base = new Map(state.base)
      for (const [path, file] of onlyPaths(kept.base, stands)) setOrDelete(base, path, file)
      const left = new Map([...state.left, ...onlyPaths(kept.left, stands)])
      const answers = new Map([...state.answers].filter(([id]) => id !== attemptId))
      await this.base.save({ ...state, base, left, answers })
      const failed = changed.map((path) => ({
        path: this.base.fromWorkspace(path),
        reason: 'it has been changed since',
      }))
      return { ...effect, failed: [...effect.failed, ...failed] }
    })
  }

  leftNow(): readonly LeftPath[] {
    return [...(this.base.state?.left ?? [])].map(([path, { attemptId }]) => ({
      path: this.base.fromWorkspace(path),
      attemptId,
    }))
  }

  leftAgain(files: readonly (LeftPath & { readonly content: string | null })[]): Promise<void> {
    return this.inTurn(async () => {
      const state = await this.base.load()
      const left = new Map(state.left)
      for (const { path: given, attemptId, content } of files) {
        const path = this.base.topPath(given)
        if (path === null || state.base === null || state.base.get(path)?.content === (content ?? undefined))
          continue
        // Only guarded files belong to the baseline; there is nothing to answer about others.
        if (state.left.has(path) || state.base.has(path))
          left.set(path, { file: content === null ? null : { content, state: 'unsettled' }, attemptId })
      }
      await this.base.save({ ...state, left })
    })
  }

  async describe(configuration: CheckConfiguration): ReturnType<Custody['describe']> {
    const commands = checksOf(configuration).map((check) => {
      const { executes, takesIn, reads, unresolved } = reachOf(check, this.options.directory, () => undefined)
      return {
        check: check.name,
        command: check.command,
        executes: [...executes.map(describeInstrument), ...takesIn.map(describeTakenIn)],
        reads,
        unresolved,
      }
    })
    return [...commands, ...fileProbesOf(configuration)]
  }

  private async scan(state: BaseState): Promise<GuardedFiles> {
    const { store, excluded } = this.options
    const { places } = this.base
    const { guard } = this.checks
    const dependencies: string[] = []
    const caches: string[] = []
    const known = this.now.size > 0 ? this.now : (state.base ?? new Map())
    const found = await scanGuarded({
      top: state.top,
      isGuarded: (path) =>
        guard !== null &&
        (guard.isProtected(path) ||
          guard.shadowsModule(path) ||
          guard.shadowsSource(path) ||
          guard.steersJudge(path)),
      also: new Set([
        ...(guard?.executed.keys() ?? []),
        ...(guard?.shadows.keys() ?? []),
        ...(guard?.asksGit === true ? GIT_RULES : []),
        ...[...state.left.keys()].filter((path) => path !== GIT_INDEX),
      ]),
      foundDependencies: (path) => dependencies.push(path),
      foundCache: (path) => caches.push(path),
      excluded,
      known,
      store,
      ...(places.beside !== null && { placeOf: (path: string) => placeOf(places, path) }),
      ...(guard === null ? { sources: new Set<string>() } : this.checks.foldersOf(guard)),
    })
    this.dependencyFolders = dependencies
    this.caches = caches
    const isAsked = guard !== null || state.left.has(GIT_INDEX)
    const index = isAsked ? await this.index.look(known.get(GIT_INDEX)) : null
    return index === null ? found : new Map([...found, [GIT_INDEX, index]])
  }
}
