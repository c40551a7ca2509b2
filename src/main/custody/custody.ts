import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { wasEmptied } from '../../core/custody/emptied.ts'
import type { CheckReach } from '../../core/custody/instruments.ts'
import { protectionBy } from '../../core/custody/protected.ts'
import { isMixed, steersDifferently, withSteeringOf } from '../../core/custody/steering.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  AnswerEffect,
  BaseDifference,
  BaseMove,
  BaseReports,
  CheckConfiguration,
  CheckName,
  Custody,
  EarlierFiles,
  LeftPath,
  OpenedRoom,
} from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import { type AgentTimes, createAgentTimes } from './agent-times.ts'
import { type BaseState, createBaseFiles, type KeptAnswer, type LeftFile } from './base-files.ts'
import { baseName, createBaseReports } from './base-reports.ts'
import {
  type Check,
  checksOf,
  describeInstrument,
  describeTakenIn,
  fileProbesOf,
  fromTop,
  reachOf,
} from './check-reach.ts'
import { createRoomMaker, type RoomPlan } from './clean-room.ts'
import type { ContentStore, SavedFile } from './content-store.ts'
import { createDependencyCustody, type DependencyCustody } from './dependency-custody.ts'
import { findPrograms, type Programs } from './programs-on-path.ts'
import { importedBefore, installedModules, runsPython } from './python-modules.ts'
import { type GuardedFile, type GuardedFiles, scanGuarded } from './scan.ts'

export interface CustodyOptions {
  /** The workspace. */
  readonly directory: string
  /** Where the base and the rooms are kept: the workspace's part of the data folder. */
  readonly dataDirectory: string
  readonly store: ContentStore
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Log
  /** Absolute folders of our own that may lie in the tree. */
  readonly excluded: readonly string[]
}

/** What a configuration guards, worked out once a cycle. */
interface Guard {
  readonly isProtected: (path: string) => boolean
  /** By path from the top. */
  readonly executed: ReadonlyMap<string, readonly Executed[]>
  /** Where a program would go before the one that checks were approved with. */
  readonly shadows: ReadonlySet<string>
  /** Whether a new file there would be imported in the place of a module that is installed. */
  readonly shadowsModule: (path: string) => boolean
}

const MAX_KNOWN_PATHS = 200_000

interface Executed {
  readonly check: CheckName
  /** What counts of the file; `null`: all of it. */
  readonly part: string | null
  /** It counts only where it was emptied: it may be what the check is about. */
  readonly perhapsSubject: boolean
}

/**
 * Custody of one workspace. The base moves in `begin` (what changed while no agent ran), `settle`, `accept` and `approve`, and
 * nowhere else. Calls come one after the other.
 */
export function createCustody(options: CustodyOptions): Custody {
  return new WorkspaceCustody(options)
}

class WorkspaceCustody implements Custody {
  private readonly options: CustodyOptions
  private readonly files: ReturnType<typeof createBaseFiles>
  private readonly known: ReturnType<typeof createBaseReports>
  private readonly rooms: ReturnType<typeof createRoomMaker>
  private state: BaseState | null = null
  private guard: Guard | null = null
  private checks: readonly Check[] = []
  /** As last seen. */
  private now: GuardedFiles = new Map()
  private programs: Programs = new Map()
  private protectedBy: { readonly key: string; readonly isProtected: (path: string) => boolean } | null = null
  private readonly times: AgentTimes
  private readonly installed: DependencyCustody
  private dependencyFolders: readonly string[] = []
  private changes: Promise<unknown> = Promise.resolve()

  constructor(options: CustodyOptions) {
    this.options = options
    this.files = createBaseFiles(join(options.dataDirectory, 'custody'))
    this.known = createBaseReports(join(options.dataDirectory, 'custody'))
    const place = join(options.dataDirectory, 'custody')
    this.times = createAgentTimes(place)
    this.installed = createDependencyCustody(place, () => this.state?.top ?? options.directory, this.times)
    this.rooms = createRoomMaker({ directory: join(options.dataDirectory, 'rooms'), clock: options.clock })
  }

  begin(configuration: CheckConfiguration): Promise<BaseMove> {
    return this.inTurn(() => this.beginCycle(configuration))
  }

  private async beginCycle(configuration: CheckConfiguration): Promise<BaseMove> {
    const none = { moved: [], unapproved: [], isFirst: false }
    this.checks = checksOf(configuration)
    if (this.checks.length === 0) {
      this.guard = null
      return none
    }
    await this.rooms.sweep()
    const loaded = await this.load()
    this.guard = await this.guardBy(configuration, loaded)
    this.programs = await this.findProgramsSince(loaded)
    const state = { ...loaded, programs: this.programs }
    const shadows = shadowsOf(this.programs, state.top, this.options.directory)
    this.guard = { ...this.guard, shadows, shadowsModule: this.moduleShadows() }
    this.now = await this.scan(state)
    await this.installed.begin(this.dependencyFolders)
    if (state.base === null) {
      await this.save({ ...state, base: this.now })
      return { ...none, isFirst: true }
    }
    const crashed = await this.files.readMark()
    return this.takeIn(state, state.base, crashed)
  }

  /** Changes since the last settling: the operator's, or those of an attempt that was cut off. */
  private async takeIn(state: BaseState, base: GuardedFiles, crashed: string | null): Promise<BaseMove> {
    const nextBase = new Map(base)
    const left = new Map(state.left)
    const moved: string[] = []
    for (const path of new Set([...base.keys(), ...this.now.keys(), ...left.keys()])) {
      const current = this.now.get(path) ?? null
      const known = left.get(path)
      const expected = known === undefined ? (base.get(path) ?? null) : known.file
      if (current?.content === base.get(path)?.content) {
        left.delete(path)
        if (current !== null) nextBase.set(path, current)
      } else if (current?.content !== expected?.content) {
        if (crashed !== null) left.set(path, { file: current, attemptId: crashed })
        else if (this.isInstrument(path)) left.set(path, { file: current, attemptId: 'operator' })
        else {
          left.delete(path)
          if (current === null) nextBase.delete(path)
          else nextBase.set(path, current)
          moved.push(path)
        }
      }
    }
    await this.files.mark(null)
    await this.save({ ...state, base: nextBase, left })
    return {
      moved: moved.map((path) => this.fromWorkspace(path)),
      unapproved: this.unapproved(),
      isFirst: false,
    }
  }

  private unapproved(): readonly string[] {
    return [...(this.state?.left ?? [])]
      .filter(([path, { attemptId }]) => attemptId === 'operator' && this.isInstrument(path))
      .map(([path]) => this.fromWorkspace(path))
  }

  agentStarts(attemptId: string): Promise<void> {
    return this.inTurn(async () => {
      if (this.guard === null) return
      await this.files.mark(attemptId)
      await this.times.starts(attemptId)
    })
  }

  look(): Promise<readonly BaseDifference[]> {
    return this.inTurn(async () => {
      const { state, guard } = this
      if (state === null || guard === null || state.base === null) return []
      this.now = await this.scan(state)
      const found = await this.differences(state, state.base, guard)
      return [...found, ...(await this.programDifferences())]
    })
  }

  private async differences(
    state: BaseState,
    base: GuardedFiles,
    guard: Guard,
  ): Promise<readonly BaseDifference[]> {
    const found: BaseDifference[] = []
    for (const path of new Set([...base.keys(), ...this.now.keys()])) {
      const before = base.get(path) ?? null
      const after = this.now.get(path) ?? null
      if (before?.content === after?.content) continue
      const executions = guard.executed.get(path) ?? []
      const isSubject = executions.length > 0 && executions.every(({ perhapsSubject }) => perhapsSubject)
      const texts = isMixed(path) || isSubject ? await this.textsOf(before, after) : null
      const isProtected =
        (guard.shadows.has(path) ||
          guard.isProtected(path) ||
          (before === null && guard.shadowsModule(path))) &&
        (texts === null || !isMixed(path) || steersDifferently(path, texts.before, texts.after))
      const executedBy = executions
        .filter(() => !isSubject || (texts !== null && wasEmptied(texts.before, texts.after)))
        .filter(({ part }) => part === null || texts === null || partDiffers(part, texts.before, texts.after))
        .map(({ check }) => check)
      if (!isProtected && executedBy.length === 0) continue
      const left = state.left.get(path)
      found.push({
        path: this.fromWorkspace(path),
        kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
        isProtected,
        executedBy: [...new Set(executedBy)],
        attemptId: left !== undefined && left.file?.content === after?.content ? left.attemptId : null,
      })
    }
    return found
  }

  /** What checks are run with: as found, but where an agent put something before it or in its place since it was found last. */
  private async findProgramsSince(state: BaseState): Promise<Programs> {
    const names = programNames(this.guard, this.reaches)
    const [now, isAgents] = await Promise.all([
      findPrograms(names, this.options.directory, state.programs),
      this.times.has(),
    ])
    const kept = [...state.programs].filter(([name, before]) => {
      const after = now.get(name)
      return after !== undefined && after.content !== before.content && isAgents(after.changedMs)
    })
    return new Map([...now, ...kept.filter(([name]) => names.includes(name))])
  }

  programPath(name: string): string | null {
    return this.programs.get(name)?.found ?? null
  }

  private moduleShadows(): (path: string) => boolean {
    const names = this.reaches.flatMap(({ reach }) => reach.executes.map(({ path }) => path))
    if (!runsPython(names)) return () => false
    const interpreters = [...this.programs.values()].map(({ path }) => path)
    const installed = installedModules(interpreters, this.options.directory)
    return (path) => {
      const module = importedBefore(this.fromWorkspace(path)) ?? importedBefore(path)
      return module !== null && installed.has(module)
    }
  }

  /** Programs outside of the tree that are another one than when the cycle began. */
  private async programDifferences(): Promise<readonly BaseDifference[]> {
    if (this.programs.size === 0) return []
    const now = await findPrograms([...this.programs.keys()], this.options.directory, this.programs)
    return [...this.programs].flatMap(([name, before]): BaseDifference[] => {
      const after = now.get(name)
      if (after?.path === before.path && after.content === before.content) return []
      const executedBy = this.executedByName.get(name) ?? []
      const kind = after === undefined ? 'deleted' : 'modified'
      return [{ path: after?.path ?? before.path, kind, isProtected: false, executedBy, attemptId: null }]
    })
  }

  private async textsOf(
    before: GuardedFile | null,
    after: GuardedFile | null,
  ): Promise<{ before: string | null; after: string | null }> {
    const text = async (file: GuardedFile | null): Promise<string | null> =>
      file === null ? null : ((await this.contentOf(file))?.toString('utf8') ?? `${file.content}`)
    return { before: await text(before), after: await text(after) }
  }

  settle(attemptId: string, accepted: readonly string[]): Promise<void> {
    return this.inTurn(async () => {
      const { state, guard } = this
      if (state === null || guard === null || state.base === null) return
      this.now = await this.scan(state)
      const base = new Map(state.base)
      for (const path of accepted.map((each) => this.topPath(each))) {
        const current = path === null ? undefined : this.now.get(path)
        if (path !== null && current === undefined) base.delete(path)
        else if (path !== null && current !== undefined) base.set(path, current)
      }
      const left = new Map<string, LeftFile>()
      for (const path of new Set([...base.keys(), ...this.now.keys()])) {
        const current = this.now.get(path) ?? null
        if (current?.content === base.get(path)?.content) continue
        const before = state.left.get(path)
        const isAsLeft = before !== undefined && before.file?.content === current?.content
        left.set(path, isAsLeft ? before : { file: current, attemptId })
      }
      await this.save({ ...state, base, left })
      await this.times.ended()
      await this.files.mark(null)
    })
  }

  dependencies(): Promise<readonly string[]> {
    return this.inTurn(async () => {
      if (this.guard === null) return []
      const touched = await this.installed.touched(this.dependencyFolders)
      return touched.map((path) => this.fromWorkspace(path))
    })
  }

  async openRoom(paths: readonly string[], signal: AbortSignal, earlier?: EarlierFiles): Promise<OpenedRoom> {
    const { state } = this
    if (state?.base == null) return { kind: 'none', reason: 'there is no base yet' }
    const plan = await this.roomPlan(state.base, paths)
    if (typeof plan === 'string') return { kind: 'none', reason: plan }
    const { directory } = this.options
    return this.rooms.open({ top: state.top, directory, plan: this.withEarlier(plan, earlier), signal })
  }

  /** The base's files go before those of another moment. */
  private withEarlier(plan: RoomPlan, earlier: EarlierFiles | undefined): RoomPlan {
    if (earlier === undefined) return plan
    const known = new Set([...plan.remove, ...plan.write.map(({ path }) => path)])
    const isNew = (path: string | null): path is string => path !== null && !known.has(path)
    return {
      write: [
        ...earlier.write.flatMap((file) => {
          const path = this.topPath(file.path)
          return isNew(path) ? [{ ...file, path }] : []
        }),
        ...plan.write,
      ],
      remove: [...earlier.remove.map((path) => this.topPath(path)).filter(isNew), ...plan.remove],
    }
  }

  /** How the paths stood in the base; in words where one of them cannot be put back. */
  private async roomPlan(base: GuardedFiles, paths: readonly string[]): Promise<RoomPlan | string> {
    const write: RoomPlan['write'][number][] = []
    const remove: string[] = []
    for (const given of paths) {
      const path = this.topPath(given)
      if (path === null)
        return `${given} lies outside of the workspace and its repository, and is another one than before`
      const file = base.get(path) ?? null
      const now = this.now.get(path) ?? null
      const texts = isMixed(path) && now !== null ? await this.textsOf(file, now) : null
      if (file === null) {
        remove.push(path)
        continue
      }
      const kept = await this.contentOf(file)
      if (kept === null)
        return `the content of ${given} in the base is not kept: it is too large, a link, or was cleared`
      const joined =
        texts === null ? kept : Buffer.from(withSteeringOf(path, kept.toString('utf8'), texts.after ?? ''))
      write.push({ path, bytes: joined, isExecutable: file.content.endsWith(':x') })
    }
    return { write, remove }
  }

  reports(): Promise<BaseReports> {
    return this.inTurn(async () => {
      const base = this.guard === null ? null : (this.state?.base ?? null)
      return base === null ? new Map() : this.known.read(baseName(base, this.checks))
    })
  }

  keepReports(reports: BaseReports): Promise<void> {
    return this.inTurn(async () => {
      const base = this.guard === null ? null : (this.state?.base ?? null)
      if (base === null) return
      const name = baseName(base, this.checks)
      await this.known.write(name, new Map([...(await this.known.read(name)), ...reports]))
    })
  }

  approve(configuration: CheckConfiguration): Promise<readonly string[]> {
    return this.inTurn(async () => {
      await this.beginCycle(configuration)
      if (this.state?.base == null) return []
      this.programs = await findPrograms([...this.programs.keys()], this.options.directory, this.programs)
      const state = { ...this.state, programs: this.programs }
      this.state = state
      const mine = [...state.left]
        .filter(([, { attemptId }]) => attemptId === 'operator')
        .map(([path]) => path)
      await this.save(withBase(state, this.state.base ?? new Map(), mine, this.now))
      return mine.map((path) => this.fromWorkspace(path))
    })
  }

  accept(answerId: string, attemptIds: readonly string[]): Promise<readonly string[]> {
    return this.inTurn(async () => {
      const state = await this.load()
      if (state.base === null) return []
      const own = leftBy(state, attemptIds)
      // Tests that were lost are accepted too, also where no guarded file is: the names are learned anew.
      await this.known.write('', new Map())
      if (await this.times.forget(attemptIds)) await this.installed.accept()
      const kept = { ...remembered(state, state.base, own), files: new Map() }
      // As it was judged: what stands there now may be another attempt's.
      const asLeft = new Map(
        own.flatMap((path) => {
          const file = state.left.get(path)?.file ?? null
          return file === null ? [] : [[path, file] as const]
        }),
      )
      const next = withBase(state, state.base, own, asLeft)
      await this.save({ ...next, answers: new Map([...state.answers, [answerId, kept]]) })
      return own.map((path) => this.fromWorkspace(path))
    })
  }

  putBack(answerId: string, attemptIds: readonly string[]): Promise<AnswerEffect> {
    return this.inTurn(async () => {
      const state = await this.load()
      const { base } = state
      if (base === null) return { restored: [], failed: [] }
      this.now = await this.scan(state)
      const own = leftBy(state, attemptIds)
      const files = new Map(own.map((path) => [path, this.now.get(path) ?? null]))
      const kept = { ...remembered(state, base, own), files }
      const effect = await this.restore(state.top, new Map(own.map((path) => [path, base.get(path) ?? null])))
      this.now = await this.scan(state)
      const left = new Map([...state.left].filter(([path]) => !own.includes(path)))
      await this.save({ ...state, left, answers: new Map([...state.answers, [answerId, kept]]) })
      return effect
    })
  }

  undoAnswer(attemptId: string): Promise<AnswerEffect> {
    return this.inTurn(async () => {
      const state = await this.load()
      const kept = state.answers.get(attemptId)
      if (kept === undefined || state.base === null) return { restored: [], failed: [] }
      const effect = await this.restore(state.top, kept.files)
      const base = new Map(state.base)
      for (const [path, file] of kept.base) {
        if (file === null) base.delete(path)
        else base.set(path, file)
      }
      const answers = new Map([...state.answers].filter(([id]) => id !== attemptId))
      await this.save({ ...state, base, left: new Map([...state.left, ...kept.left]), answers })
      return effect
    })
  }

  leftNow(): readonly LeftPath[] {
    return [...(this.state?.left ?? [])].map(([path, { attemptId }]) => ({
      path: this.fromWorkspace(path),
      attemptId,
    }))
  }

  leftAgain(files: readonly (LeftPath & { readonly content: string | null })[]): Promise<void> {
    return this.inTurn(async () => {
      const state = await this.load()
      const left = new Map(state.left)
      for (const { path: given, attemptId, content } of files) {
        const path = this.topPath(given)
        if (path === null || state.base === null || state.base.get(path)?.content === (content ?? undefined))
          continue
        // Only what was guarded is of the base: other files are nobody's to answer for.
        if (state.left.has(path) || state.base.has(path))
          left.set(path, { file: content === null ? null : { content, state: 'unsettled' }, attemptId })
      }
      await this.save({ ...state, left })
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

  private async restore(top: string, files: ReadonlyMap<string, GuardedFile | null>): Promise<AnswerEffect> {
    const { restored, failed } = await this.options.store.restore(
      top,
      [...files].map(([path, file]) => savedAs(path, file)),
    )
    return {
      restored: restored.map((path) => this.fromWorkspace(path)),
      failed: failed.map(({ path, reason }) => ({ path: this.fromWorkspace(path), reason })),
    }
  }

  private reaches: readonly { readonly check: CheckName; readonly reach: CheckReach }[] = []
  private executedByName: ReadonlyMap<string, readonly CheckName[]> = new Map()

  /** What checks execute is read from the base where there is one: the agent's form of a script does not say what the check is. */
  private async guardBy(configuration: CheckConfiguration, state: BaseState): Promise<Guard> {
    const { directory } = this.options
    const texts = new Map<string, string | null>()
    for (const path of state.left.keys()) {
      const file = state.base?.get(path) ?? null
      texts.set(path, file === null ? null : ((await this.contentOf(file))?.toString('utf8') ?? null))
    }
    const readBase = (path: string): string | null | undefined => {
      const way = fromTop(state.top, directory, path)
      return way === null ? undefined : texts.get(way)
    }
    this.reaches = checksOf(configuration).map((check) => ({
      check: check.name,
      reach: reachOf(check, directory, readBase),
    }))
    const executed = new Map<string, Executed[]>()
    const byName = new Map<string, CheckName[]>()
    for (const { check, reach } of this.reaches)
      for (const { kind, path, part, perhapsSubject = false } of reach.executes) {
        const way = kind === 'program' && !path.includes('/') ? null : fromTop(state.top, directory, path)
        const list = way === null ? (byName.get(path) ?? []) : []
        if (way === null) byName.set(path, [...list, check])
        else executed.set(way, [...(executed.get(way) ?? []), { check, part, perhapsSubject }])
      }
    this.executedByName = byName
    const takenIn = this.reaches.flatMap(({ reach }) => reach.takesIn)
    const isProtected = this.protection(configuration.interventions.protected, takenIn)
    const { shadows = new Set<string>(), shadowsModule = () => false } = this.guard ?? {}
    return { isProtected, executed, shadows, shadowsModule }
  }

  /** Asked of the same thousands of paths at each look: the answers are kept as long as the patterns are the same. */
  private protection(patterns: readonly string[], takenIn: readonly string[]): (path: string) => boolean {
    const key = JSON.stringify([patterns, takenIn])
    if (this.protectedBy?.key === key) return this.protectedBy.isProtected
    const isOwn = protectionBy([...patterns, ...takenIn])
    const known = new Map<string, boolean>()
    const isProtected = (path: string): boolean => {
      const before = known.get(path)
      if (before !== undefined) return before
      if (known.size >= MAX_KNOWN_PATHS) known.clear()
      const answer = isOwn(this.fromWorkspace(path)) || isOwn(path)
      known.set(path, answer)
      return answer
    }
    this.protectedBy = { key, isProtected }
    return isProtected
  }

  private isInstrument(path: string): boolean {
    return this.guard?.executed.get(path)?.some(({ perhapsSubject }) => !perhapsSubject) === true
  }

  private async scan(state: BaseState): Promise<GuardedFiles> {
    const { store, excluded } = this.options
    const guard = this.guard
    const dependencies: string[] = []
    const found = await scanGuarded({
      top: state.top,
      isGuarded: (path) => guard !== null && (guard.isProtected(path) || guard.shadowsModule(path)),
      also: new Set([...(guard?.executed.keys() ?? []), ...(guard?.shadows ?? []), ...state.left.keys()]),
      foundDependencies: (path) => dependencies.push(path),
      excluded,
      known: this.now.size > 0 ? this.now : (state.base ?? new Map()),
      store,
    })
    this.dependencyFolders = dependencies
    return found
  }

  private async contentOf({ content }: GuardedFile): Promise<Buffer | null> {
    return this.options.store.read(content.replace(/:x$/, ''))
  }

  private async load(): Promise<BaseState> {
    this.state ??= (await this.files.read()) ?? {
      top: topOf(this.options.directory),
      base: null,
      left: new Map(),
      answers: new Map(),
      programs: new Map(),
    }
    return this.state
  }

  private async save(state: BaseState): Promise<void> {
    this.state = state
    await this.files.write(state)
  }

  private fromWorkspace(path: string): string {
    if (this.state === null || this.state.top === this.options.directory) return path
    const way = relative(this.options.directory, join(this.state?.top ?? this.options.directory, path))
    return sep === '/' ? way : way.replaceAll(sep, '/')
  }

  private topPath(path: string): string | null {
    return fromTop(this.state?.top ?? this.options.directory, this.options.directory, path)
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.changes.then(work)
    this.changes = result.catch(() => undefined)
    return result
  }
}

/** The top of the repository that the folder lies in, told without git, which an agent may have broken; else the folder itself. */
function topOf(directory: string): string {
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === homedir() && folder !== directory) break
    if (existsSync(join(folder, '.git'))) return folder
  }
  return directory
}

function programNames(
  guard: Guard | null,
  reaches: readonly { readonly reach: CheckReach }[],
): readonly string[] {
  const names = reaches.flatMap(({ reach }) =>
    reach.executes.flatMap(({ kind, path }) => (kind === 'program' ? [path] : [])),
  )
  return [...new Set(names)].filter((name) => guard?.executed.has(name) !== true)
}

/** Folders of package managers that go before PATH, with the names of programs that do not come from a package. */
function shadowsOf(programs: Programs, top: string, directory: string): ReadonlySet<string> {
  const names = [...programs].flatMap(([name, { path }]) =>
    name.includes('/') || (path.includes('/node_modules/') && !/^np[mx]$/.test(name)) ? [] : [name],
  )
  const folders: string[] = []
  for (let folder = directory; ; folder = dirname(folder)) {
    folders.push(folder)
    if (folder === top || folder === dirname(folder)) break
  }
  const ways = folders.map((folder) => fromTop(top, directory, join(folder, 'node_modules', '.bin')))
  return new Set(ways.flatMap((way) => (way === null ? [] : names.map((name) => `${way}/${name}`))))
}

function withBase(
  state: BaseState,
  base: GuardedFiles,
  paths: readonly string[],
  now: GuardedFiles,
): BaseState {
  const next = new Map(base)
  for (const path of paths) {
    const file = now.get(path)
    if (file === undefined) next.delete(path)
    else next.set(path, file)
  }
  const taken = new Set(paths)
  return { ...state, base: next, left: new Map([...state.left].filter(([path]) => !taken.has(path))) }
}

function leftBy({ left }: BaseState, attemptIds: readonly string[]): readonly string[] {
  return [...left].filter(([, { attemptId }]) => attemptIds.includes(attemptId)).map(([path]) => path)
}

function remembered(
  { left }: BaseState,
  base: GuardedFiles,
  paths: readonly string[],
): Pick<KeptAnswer, 'base' | 'left'> {
  return {
    base: new Map(paths.map((path) => [path, base.get(path) ?? null])),
    left: new Map([...left].filter(([path]) => paths.includes(path))),
  }
}

function savedAs(path: string, file: GuardedFile | null): SavedFile {
  if (file === null) return { path, kind: 'absent' }
  const { content } = file
  if (content.startsWith('link:')) return { path, kind: 'link', target: content.slice('link:'.length) }
  if (content.startsWith('large:')) return { path, kind: 'lost', reason: 'it was too large to be kept' }
  return { path, kind: 'file', hash: content.replace(/:x$/, ''), isExecutable: content.endsWith(':x') }
}

/** Whether a part of a package's manifest (`scripts.test`) is another one. */
function partDiffers(part: string, before: string | null, after: string | null): boolean {
  return partOf(part, before) !== partOf(part, after)
}

function partOf(part: string, text: string | null): string | undefined {
  try {
    let value: unknown = JSON.parse(text ?? '')
    const [first = '', ...rest] = part.split('.')
    for (const key of [first, rest.join('.')])
      value =
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
