import { join } from 'node:path'
import type { ChangedFile, CustodyResult } from '../../core/change/custody-findings.ts'
import type { judgeChange, TaskDecision } from '../../core/change/judge-change.ts'
import { isAtOrBelow, onlyCaches } from '../../core/custody/cache-places.ts'
import { isCMake } from '../../core/custody/cmake-targets.ts'
import { mayReach } from '../../core/custody/reaching.ts'
import { isMixed, withSteeringOf } from '../../core/custody/steering.ts'
import { isQuickCache } from '../../core/custody/tool-caches.ts'
import { withoutRenamed } from '../../core/reports/renamed-tests.ts'
import { shellCommand } from '../../core/text/command-words.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../core/verification/types.ts'
import type { RoomPlan } from '../custody/clean-room.ts'
import { cachesExcept } from '../custody/tool-caches.ts'
import { existsSync } from '../files/names.ts'
import type { TreeChange } from '../snapshot/git-status.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import type { TreeFiles } from './base-files.ts'
import { type Measured, measureScope } from './measure.ts'
import type { ObjectReader } from './object-reader.ts'
import { cachesAtBase, type Scope } from './policy.ts'
import { ChangeProblem, type Repository } from './repository.ts'
import { laidOut, openTreeRooms } from './rooms.ts'
import { scriptEnds } from './script-ends.ts'
import { judgeTasks, type NamedTask, unreachedIn } from './tasks.ts'
import type { VerifyOptions } from './verify-options.ts'

/** The tasks that the change was made for, by scope. */
export type TasksByScope = ReadonlyMap<Scope, readonly NamedTask[]>

/** The measurements of one scope. */
export interface ScopeResult {
  readonly scope: Scope
  readonly whole: Measured
  readonly tasks: readonly TaskDecision[]
  /** Checks with a script that something ends early. */
  readonly unreached: readonly string[]
}

/** What to measure. */
export interface MeasureSubject {
  readonly trees: { readonly base: string; readonly head: string; readonly workTree: string | null }
  readonly scopes: readonly Scope[]
  readonly custody: CustodyResult
  readonly changes: readonly ChangedFile[]
  readonly raw: ReadonlyMap<RawPath, TreeChange>
  readonly named: TasksByScope
  readonly base: TreeFiles
  readonly head: TreeFiles
}

/** Measures every scope, and judges the named tasks. Rejects without consent. */
export async function measureScopes(
  options: VerifyOptions,
  repository: Repository,
  objects: ObjectReader,
  { trees, scopes, custody, changes, raw, named, base, head }: MeasureSubject,
): Promise<readonly ScopeResult[]> {
  const commands = scopes.flatMap(commandsOf)
  if (commands.length === 0 && named.size === 0) return []
  const folders = scopes.map((scope) => ({
    directory: join(repository.top ?? repository.gitDirectory, scope.folder),
    commands: commandsOf(scope),
    configSha256: scope.configSha256,
  }))
  if (commands.length > 0 && !(await options.consents(folders)))
    throw new ChangeProblem(
      2,
      `Measuring runs commands of the base: ${commands.map((command) => `\`${command}\``).join(', ')}. Allow it with --trust, or judge without running anything with --part custody.`,
    )
  const { clock, signal, log, version, cache, hidesCaches, onStep = () => {} } = options
  const { workTree } = trees
  const beside = await cachesBeside(repository, base, workTree, async () =>
    (await Promise.all(scopes.map((scope) => cachesAtBase(base, scope)))).flat(),
  )
  const hidden = hidesCaches === 'all' ? beside : beside.filter(isQuickPlace)
  const rooms = await openTreeRooms({ repository, objects, workTree, hidden, clock, signal })
  const guarded = new Set(custody.guarded)
  const cleanPlan = await planOfBase(objects, changes, raw, custody)
  const testPlan = await planOfTests(objects, raw, guarded)
  const results: ScopeResult[] = []
  for (const scope of scopes) {
    const contain = await options.contain(rooms.top, scope)
    const isContained =
      contain !== undefined && (await contain({ kind: 'check', program: 'true' })).kind === 'contained'
    const one = {
      ...{ scope, rooms, trees, cleanPlan, testPlan, contain },
      ends: scriptEnds(scope, { base, head }, changes, guarded),
      ranAlone: new Map(),
      ...{ cache: isContained ? cache : null, version, clock, log, signal, onStep },
    }
    const whole = await measureScope(one)
    const tasks = named.get(scope) ?? []
    const difference = differenceOf(changes, scope.folder)
    const changed = new Set(changes.map(({ path }) => path))
    const subject = { measured: whole, difference, guarded: custody.guarded, changed }
    const mayEnd = changes.some(({ path, after }) => after !== null && mayReach(path))
    results.push({
      scope,
      whole,
      tasks: tasks.length === 0 ? [] : await judgeTasks(one, subject, tasks),
      unreached: mayEnd ? await unreachedIn(one, subject) : [],
    })
  }
  await rooms.close()
  return results
}

function commandsOf({ configuration: { gates, probes, approvedCommands } }: Scope): readonly string[] {
  return [
    ...gates.commands.map(shellCommand),
    ...Object.values(probes).flatMap(({ source }) =>
      source.kind === 'command' ? [shellCommand(source.command)] : [],
    ),
    ...approvedCommands,
  ]
}

/** Returns whether a path is a cache that tools rebuild within moments, or is in one. */
function isQuickPlace(path: string): boolean {
  const names = path.split('/')
  return names.some((_name, at) => isQuickCache(names.slice(0, at + 1).join('/')))
}

/**
 * Returns the caches that tools left in the work tree and the base does not have: a check could report what such a cache says instead of
 * checking.
 */
async function cachesBeside(
  { top }: Repository,
  base: TreeFiles,
  workTree: string | null,
  placesOfChecks: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (top === null || workTree === null) return []
  const shown = [...base.files.keys()]
  const named = onlyCaches(await placesOfChecks(), shown).filter((path) => existsSync(join(top, path)))
  const found = await cachesExcept(top, async () => shown)
  return [...named, ...found.filter((path) => !named.some((place) => isAtOrBelow(path, place)))]
}

/** Returns the base's version of everything that affects what checks report; `null` if none of it was changed. */
async function planOfBase(
  objects: ObjectReader,
  changes: readonly ChangedFile[],
  raw: ReadonlyMap<RawPath, TreeChange>,
  custody: CustodyResult,
): Promise<RoomPlan | null> {
  if (custody.guarded.length + custody.formerTests.length === 0) return null
  const guarded = new Set(custody.guarded)
  const texts = new Map(changes.map((change) => [change.path, change]))
  const entries = [...raw]
    .map(([path, change]) => ({ path: toText(path), ...change }))
    .filter(({ path }) => guarded.has(path))
  const kept = entries.flatMap(({ path, before }) =>
    before === null || before.mode === '160000' ? [] : [{ path, ...before }],
  )
  const write = await laidOut(objects, kept)
  return {
    remove: entries.filter(({ before }) => before === null).map(({ path }) => path),
    write: [
      ...write.map((file) => {
        const { before = null, after = null } = texts.get(file.path) ?? {}
        return isMixed(file.path) && before !== null && after !== null
          ? { ...file, bytes: Buffer.from(withSteeringOf(file.path, before, after)) }
          : file
      }),
      ...custody.formerTests.map(({ path, text }) => {
        const isExecutable = texts.get(path)?.modeAfter === '100755'
        return { path, bytes: Buffer.from(text), isExecutable }
      }),
    ],
  }
}

/**
 * Returns head's test files, to write over the base. Files with other content too keep the base's version, except CMake's, which name the
 * tests.
 */
async function planOfTests(
  objects: ObjectReader,
  raw: ReadonlyMap<RawPath, TreeChange>,
  guarded: ReadonlySet<string>,
): Promise<RoomPlan> {
  const entries = [...raw].flatMap(([path, { after }]) => {
    const name = toText(path)
    return after === null ||
      after.mode === '160000' ||
      !guarded.has(name) ||
      (isMixed(name) && !isCMake(name))
      ? []
      : [{ path: name, ...after }]
  })
  return { remove: [], write: await laidOut(objects, entries) }
}

/** Returns the changes in a folder, relative to it. */
function differenceOf(changes: readonly ChangedFile[], folder: string): FileDifference {
  const start = folder === '' ? '' : `${folder}/`
  const inside = changes.filter(({ path }) => path.startsWith(start))
  const paths = (isOf: (change: ChangedFile) => boolean): readonly string[] =>
    inside.filter(isOf).map(({ path }) => path.slice(start.length))
  return {
    ...EMPTY_DIFFERENCE,
    added: paths(({ modeBefore }) => modeBefore === null),
    modified: paths(({ modeBefore, modeAfter }) => modeBefore !== null && modeAfter !== null),
    deleted: paths(({ modeAfter }) => modeAfter === null),
  }
}

/** Returns the names of tests that the base executed and the work did not, except those that were renamed or moved. */
export function lostOf(measured: readonly ScopeResult[], { tests }: CustodyResult): readonly string[] {
  return withoutRenamed(
    [...new Set(measured.flatMap(({ whole }) => whole.lost))],
    measured.flatMap(({ whole }) => whole.added.map(({ name }) => name)),
    tests.renamed,
  )
}

/** Returns the clean-room results of all scopes. */
export function roomOf(measured: readonly ScopeResult[]): Parameters<typeof judgeChange>[0]['cleanRoom'] {
  const rooms = measured.flatMap(({ whole }) => (whole.cleanRoom === null ? [] : [whole.cleanRoom]))
  const none = rooms.find((room) => room.kind === 'none')
  if (rooms.length === 0 || none !== undefined) return none ?? null
  return { kind: 'ran', gates: rooms.flatMap((room) => (room.kind === 'ran' ? room.gates : [])) }
}
