import { basename, dirname, join } from 'node:path'
import { steersAgents } from '../../core/agents/steering-files.ts'
import { isReadable, shadowedBy } from '../../core/custody/compiled.ts'
import type { CheckScript } from '../../core/custody/failing-end.ts'
import { asksGit, isGitRule } from '../../core/custody/git-view.ts'
import type { CheckReach } from '../../core/custody/instruments.ts'
import { outsideFiles } from '../../core/custody/outside-files.ts'
import { protectionBy } from '../../core/custody/protected.ts'
import type { UncommittedView } from '../../core/custody/uncommitted-view.ts'
import type { BaseDifference, CheckConfiguration, CheckName } from '../ports/custody.ts'
import type { AgentTimes } from './agent-times.ts'
import type { BaseState } from './base-files.ts'
import { type Check, checksOf, fromTop, reachOf, readSmall } from './check-reach.ts'
import type { Watched } from './outside-custody.ts'
import { findPrograms, type Programs } from './programs-on-path.ts'
import { importedBefore, installedModules, runsPython } from './python-modules.ts'
import type { KnownFolder } from './scan.ts'
import type { WorkspaceBase } from './workspace-base.ts'

const RUBY = /^(?:ruby|rake|rspec|bundle|minitest|m|rails)$/

/** What a configuration guards, determined once a cycle. Paths are from the top. */
export interface Guard {
  readonly isProtected: (path: string) => boolean
  readonly executed: ReadonlyMap<string, readonly Executed[]>
  /** The checks that run a program of this name. */
  readonly executedByName: ReadonlyMap<string, readonly CheckName[]>
  /** Paths where a program would be found before the approved one, with the name that it would be called by. */
  readonly shadows: ReadonlyMap<string, string>
  /** Returns whether a new file there would be imported instead of an installed module. */
  readonly shadowsModule: (path: string) => boolean
  /** Returns whether a path is compiled code that is loaded instead of a source that is or was there. */
  readonly shadowsSource: (path: string) => boolean
  /**
   * Returns whether a file would steer a known program that acts as judge. It affects no check, because the judge gets the baseline's
   * version.
   */
  readonly steersJudge: (path: string) => boolean
  /** True if git's ignore rules matter because a check uses git. */
  readonly asksGit: boolean
  /** What a check looks at if that depends on what is committed; `null` if no check does. */
  readonly sees: UncommittedView | null
  /** Files that do not exist, but would change what a check does if they did. */
  readonly standIns: ReadonlySet<string>
  /** Where the checks' programs are told to keep their caches. */
  readonly caches: readonly string[]
  /** Files that checks create if they are missing. */
  readonly products: ReadonlySet<string>
  /** What affects the checks from outside the tree. */
  readonly outside: Watched
  /** Changes whenever the set of guarded paths may have changed. */
  readonly key: string
}

export interface Executed {
  readonly check: CheckName
  /** The part of the file that counts; `null`: all of it. */
  readonly part: string | null
  /** True if it counts only when emptied, because it may be the work that the check is for. */
  readonly perhapsSubject: boolean
}

interface KnownFolders {
  readonly key: string
  readonly folders: Map<string, KnownFolder>
  /** Paths of sources that may have compiled code next to them, including deleted ones. */
  readonly sources: Set<string>
}

type Reaches = readonly { readonly check: CheckName; readonly reach: CheckReach }[]

const MAX_KNOWN_PATHS = 200_000

/** Determines what the checks of one workspace run and read, and therefore what to guard. */
export class CheckGuard {
  private readonly base: WorkspaceBase
  private readonly times: AgentTimes
  private current: Guard | null = null
  private programs: Programs = new Map()
  private knownChecks: readonly Check[] = []
  private scripts: ReadonlyMap<string, readonly CheckScript[]> = new Map()
  /** Files that git shows; code among them counts as source, not as compiled. */
  private shown: ReadonlySet<string> = new Set()
  private knownFolders: KnownFolders | null = null
  private protectedBy: { readonly key: string; readonly isProtected: (path: string) => boolean } | null = null

  constructor(base: WorkspaceBase, times: AgentTimes) {
    this.base = base
    this.times = times
  }

  /** `null` if nothing is guarded, because no check runs anything. */
  get guard(): Guard | null {
    return this.current
  }

  get checks(): readonly Check[] {
    return this.knownChecks
  }

  /** Sets the configuration's checks, and returns whether there are any. Without checks nothing is guarded. */
  take(configuration: CheckConfiguration): boolean {
    this.knownChecks = checksOf(configuration)
    if (this.knownChecks.length === 0) this.current = null
    return this.knownChecks.length > 0
  }

  /** Adds files that git shows. Forgets what is known about folders, because it was found without these files. */
  addShown(paths: readonly string[]): void {
    this.shown = new Set([...this.shown, ...paths])
    this.knownFolders?.folders.clear()
  }

  /** Determines from the baseline what the configuration guards; returns the state with its programs recorded. */
  async workOut(configuration: CheckConfiguration, state: BaseState): Promise<BaseState> {
    const { reaches, ...guard } = await this.guardBy(configuration, state)
    this.programs = await this.programsSince(state, guard, reaches)
    const shadows = shadowsOf(this.programs, state.top, this.base.directory)
    const { key, isShadow } = this.moduleShadows(reaches)
    const shadowsSource = (path: string): boolean =>
      !(isReadable(path) && this.shown.has(path)) &&
      shadowedBy(path).some((source) => this.knownFolders?.sources.has(source) === true)
    this.current = { ...guard, shadows, shadowsModule: isShadow, shadowsSource, key: `${guard.key} ${key}` }
    return { ...state, programs: this.programs }
  }

  /** Returns the current programs of the checks, for an approval. */
  async programsNow(): Promise<Programs> {
    this.programs = await findPrograms([...this.programs.keys()], this.base.directory, this.programs)
    return this.programs
  }

  /** Returns the scripts that a check with this command passes to interpreters in the baseline; none if no check has it. */
  scriptsOf(command: readonly string[]): readonly CheckScript[] {
    return this.scripts.get(JSON.stringify(command)) ?? []
  }

  programPath(name: string): string | null {
    return this.programs.get(name)?.found ?? null
  }

  /** Returns whether a check certainly runs the file. */
  isInstrument(path: string): boolean {
    return this.current?.executed.get(path)?.some(({ perhapsSubject }) => !perhapsSubject) === true
  }

  /**
   * Returns the cache of folders. It depends on what is guarded: with other patterns or other installed modules, folders are read again.
   */
  foldersOf({ key }: Guard): KnownFolders {
    if (this.knownFolders?.key !== key) this.knownFolders = { key, folders: new Map(), sources: new Set() }
    return this.knownFolders
  }

  /** Returns the programs outside the tree that have changed since the cycle began. */
  async programDifferences(): Promise<readonly BaseDifference[]> {
    if (this.programs.size === 0) return []
    const now = await findPrograms([...this.programs.keys()], this.base.directory, this.programs)
    return [...this.programs].flatMap(([name, before]): BaseDifference[] => {
      const after = now.get(name)
      if (after?.path === before.path && after.content === before.content) return []
      const executedBy = this.current?.executedByName.get(name) ?? []
      const kind = after === undefined ? 'deleted' : 'modified'
      return [{ path: after?.path ?? before.path, kind, isProtected: false, executedBy, attemptId: null }]
    })
  }

  /**
   * Returns the programs that checks run with: as found now, except those that an agent has replaced or shadowed since they were
   * last found.
   */
  private async programsSince(
    { programs }: BaseState,
    { executed }: Pick<Guard, 'executed'>,
    reaches: Reaches,
  ): Promise<Programs> {
    const called = reaches.flatMap(({ reach }) =>
      reach.executes.flatMap(({ kind, path }) => (kind === 'program' ? [path] : [])),
    )
    const names = [...new Set(called)].filter((name) => !executed.has(name))
    const [now, isAgents] = await Promise.all([
      findPrograms(names, this.base.directory, programs),
      this.times.has(),
    ])
    const kept = [...programs].filter(([name, before]) => {
      const after = now.get(name)
      return after !== undefined && after.content !== before.content && isAgents(after.changedMs)
    })
    return new Map([...now, ...kept.filter(([name]) => names.includes(name))])
  }

  private moduleShadows(reaches: Reaches): {
    readonly key: string
    readonly isShadow: (path: string) => boolean
  } {
    const names = reaches.flatMap(({ reach }) => reach.executes.map(({ path }) => path))
    if (!runsPython(names)) return { key: '', isShadow: () => false }
    const interpreters = [...this.programs.values()].map(({ path }) => path)
    const installed = installedModules(interpreters, this.base.directory)
    const isShadow = (path: string): boolean => {
      const module = importedBefore(this.base.fromWorkspace(path)) ?? importedBefore(path)
      return module !== null && installed.has(module)
    }
    return { key: [...installed].join(), isShadow }
  }

  /**
   * Determines the guard. Reads what checks execute from the baseline where possible, because an agent's version of a script does not
   * define the check.
   */
  private async guardBy(
    configuration: CheckConfiguration,
    state: BaseState,
  ): Promise<Omit<Guard, 'shadows' | 'shadowsModule' | 'shadowsSource'> & { readonly reaches: Reaches }> {
    const { directory } = this.base
    const readBase = await this.readerOfBase(state)
    const reaches = this.knownChecks.map((check) => ({
      check: check.name,
      reach: reachOf(check, directory, readBase),
    }))
    this.scripts = new Map(
      reaches.map(({ reach }, at) => [JSON.stringify(this.knownChecks[at]?.command), reach.scripts]),
    )
    const takenIn = reaches.flatMap(({ reach }) => [...reach.takesIn, ...reach.standIns])
    const isByPattern = this.protection(configuration.interventions.protected, takenIn)
    const executes = reaches.flatMap(({ reach }) => reach.executes)
    const readText = (path: string) => readBase(path) ?? readSmall(directory, path)
    const commands = this.knownChecks.map(({ command }) => command)
    const hasJudge = configuration.judge !== null
    const isAsking = asksGit(executes, readText, commands)
    const pathsOf = (part: (reach: CheckReach) => readonly string[]): readonly string[] => [
      ...new Set(
        reaches.flatMap(({ reach }) =>
          part(reach).flatMap((path) => fromTop(state.top, directory, path) ?? []),
        ),
      ),
    ]
    return {
      reaches,
      ...executedBy(reaches, (path) => fromTop(state.top, directory, path)),
      isProtected: (path) => isByPattern(path) || (isAsking && isGitRule(path)),
      steersJudge: hasJudge ? steersAgents : () => false,
      asksGit: isAsking,
      sees: reaches.find(({ reach }) => reach.sees !== null)?.reach.sees ?? null,
      outside: {
        files: outsideFiles(executes, commands, readText),
        top: state.top,
        python: runsPython(executes.map(({ path }) => path)),
        ruby: executes.some(({ path }) => RUBY.test(basename(path))),
      },
      standIns: new Set(pathsOf(({ standIns }) => standIns)),
      caches: pathsOf(({ caches }) => caches),
      products: new Set(pathsOf(({ products }) => products)),
      key: JSON.stringify([configuration.interventions.protected, takenIn, isAsking, hasJudge]),
    }
  }

  /** Reads the baseline's texts of files that were left different, by path from the workspace; `undefined` for all others. */
  private async readerOfBase(state: BaseState): Promise<(path: string) => string | null | undefined> {
    const texts = new Map<string, string | null>()
    for (const path of state.left.keys()) {
      const file = state.base?.get(path) ?? null
      texts.set(path, file === null ? null : ((await this.base.contentOf(file))?.toString('utf8') ?? null))
    }
    return (path) => {
      const way = fromTop(state.top, this.base.directory, path)
      return way === null ? undefined : texts.get(way)
    }
  }

  /**
   * Returns whether a path is protected. Each look asks about the same thousands of paths, so answers are cached while the patterns stay
   * the same.
   */
  private protection(patterns: readonly string[], takenIn: readonly string[]): (path: string) => boolean {
    const key = JSON.stringify([patterns, takenIn])
    if (this.protectedBy?.key === key) return this.protectedBy.isProtected
    const isOwn = protectionBy([...patterns, ...takenIn])
    const known = new Map<string, boolean>()
    const isProtected = (path: string): boolean => {
      const before = known.get(path)
      if (before !== undefined) return before
      if (known.size >= MAX_KNOWN_PATHS) known.clear()
      const answer = isOwn(this.base.fromWorkspace(path)) || isOwn(path)
      known.set(path, answer)
      return answer
    }
    this.protectedBy = { key, isProtected }
    return isProtected
  }
}

/** Returns the files of the tree that checks run, and the programs that they call by name. */
function executedBy(
  reaches: Reaches,
  topPath: (path: string) => string | null,
): Pick<Guard, 'executed' | 'executedByName'> {
  const executed = new Map<string, Executed[]>()
  const byName = new Map<string, CheckName[]>()
  for (const { check, reach } of reaches)
    for (const { kind, path, part, perhapsSubject = false } of reach.executes) {
      const way = kind === 'program' && !path.includes('/') ? null : topPath(path)
      if (way === null) byName.set(path, [...(byName.get(path) ?? []), check])
      else executed.set(way, [...(executed.get(way) ?? []), { check, part, perhapsSubject }])
    }
  return { executed, executedByName: byName }
}

/** Programs that put folders of installed packages at the start of PATH for the programs they run. */
const PACKAGE_MANAGERS = /^(?:p?np[mx]|yarn|bunx?)$/
/** Package managers run scripts with these, and most installed programs need them, so no check has to name them. */
const RUN_BY_PACKAGE_MANAGERS = ['sh', 'node']

/** Returns the paths in package managers' folders that come before PATH, with the names of programs that are not from a package. */
function shadowsOf(programs: Programs, top: string, directory: string): ReadonlyMap<string, string> {
  const called = [...programs].flatMap(([name, { path }]) =>
    name.includes('/') || (path.includes('/node_modules/') && !/^np[mx]$/.test(name)) ? [] : [name],
  )
  const isByManager = [...programs.keys()].some((name) => PACKAGE_MANAGERS.test(name))
  const names = new Set([...called, ...(isByManager ? RUN_BY_PACKAGE_MANAGERS : [])])
  const folders: string[] = []
  for (let folder = directory; ; folder = dirname(folder)) {
    folders.push(folder)
    if (folder === top || folder === dirname(folder)) break
  }
  const ways = folders.map((folder) => fromTop(top, directory, join(folder, 'node_modules', '.bin')))
  return new Map(
    ways.flatMap((way) => (way === null ? [] : [...names].map((name) => [`${way}/${name}`, name] as const))),
  )
}
