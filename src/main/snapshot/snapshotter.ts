import { join, resolve } from 'node:path'
import { changedPaths } from '../../core/verification/difference.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import { CUSTODY_FILES } from '../../core/vocabulary/proposal.ts'
import { lstatSync, realpath } from '../files/names.ts'
import type { Contain } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import type { Snapshot, Snapshotter } from '../ports/snapshotter.ts'
import type { KnownContents } from './content.ts'
import { committedFiles, unsavedFiles } from './former-files.ts'
import { findTop } from './git-command.ts'
import { whyNoGit, withKnownGit } from './git-program.ts'
import { createGitRoom, gitRoom, inGitRoom } from './git-room.ts'
import { type GitSnapshot, type LookOptions, takeGit } from './git-snapshot.ts'
import { KeptListing } from './kept-listing.ts'
import { findMeasurable } from './measurable.ts'
import { pathsEndingIn } from './paths-ending-in.ts'
import {
  type KnownProtected,
  NOTHING_KNOWN,
  type ProtectedState,
  protectedChanges,
  readyToTell,
  takeProtected,
} from './protected-files.ts'
import { fromText, isWithin, type RawPath, relativeWithin, toText } from './raw-path.ts'
import { differenceSinceGit } from './seen-through-git.ts'
import { filesBefore, type KeptTexts, keepTexts, patchOf } from './text-difference.ts'
import { type KnownTree, treeOfLook, treeOfWork } from './tree-of-work.ts'
import { differenceOfWalks, takeWalk, type WalkSnapshot } from './walk-snapshot.ts'

export interface SnapshotterDependencies {
  readonly log: Log
  /** Absolute paths of the supervisor's own files; those inside the folder are left out. */
  readonly exclude?: readonly string[]
  /** Git's sandbox; if omitted, there is none. */
  readonly contain?: Contain
  /** Whether an agent was running at a moment (epoch ms). */
  readonly isAgents?: (changedMs: number) => Promise<boolean>
}

/**
 * Takes snapshots through git if the folder is in a work tree, else by walking it. Reuses hashes of unchanged files, so one
 * snapshotter should take all snapshots of a folder. Once closed, it does not keep resources for another.
 */
export function createSnapshotter({
  log,
  exclude = [],
  contain,
  isAgents,
}: SnapshotterDependencies): Snapshotter & { close(): Promise<void> } {
  const room = contain === undefined ? null : createGitRoom(contain, log)
  const snapshotter = allWithin(
    (work) => withKnownGit({ isAgents, log }, () => inGitRoom(room, work)),
    new PlainSnapshotter(log, exclude),
  )
  return { ...snapshotter, close: async () => room?.close() }
}

/** Returns a snapshotter that makes each call through `enter`. */
function allWithin(enter: <T>(work: () => Promise<T>) => Promise<T>, plain: Snapshotter): Snapshotter {
  return {
    expectLook: (...args) => enter(() => plain.expectLook(...args)),
    take: (...args) =>
      enter(async () => {
        // Even if git is not used before an attempt, we must know its identity.
        await whyNoGit()
        return plain.take(...args)
      }),
    difference: (...args) => enter(() => plain.difference(...args)),
    takeProtected: (...args) => enter(() => plain.takeProtected(...args)),
    protectedChanges: (...args) => enter(() => plain.protectedChanges(...args)),
    keepTexts: (...args) => enter(() => plain.keepTexts(...args)),
    patch: (...args) => enter(() => plain.patch(...args)),
    filesBefore: (...args) => enter(() => plain.filesBefore(...args)),
    unsaved: (...args) => plain.unsaved(...args),
    committed: (...args) => enter(() => plain.committed(...args)),
    uncommitted: (...args) => plain.uncommitted(...args),
    unchanged: (...args) => plain.unchanged(...args),
    measurable: (...args) => enter(() => plain.measurable(...args)),
    endingIn: (...args) => plain.endingIn(...args),
    treeNow: (...args) => enter(() => plain.treeNow(...args)),
    done: () => plain.done(),
  }
}

const NOT_MEASURED = 'it was not measured'

class PlainSnapshotter implements Snapshotter {
  readonly #log: Log
  readonly #exclude: readonly string[]
  readonly #known = new Map<string, KnownContents>()
  readonly #listings = new Map<string, KeptListing>()
  readonly #walked = new Map<string, WalkSnapshot>()
  readonly #knownProtected = new Map<string, KnownProtected>()
  /** The last logged reason why git cannot be used, by folder: logged once, not at every heartbeat. */
  readonly #logged = new Map<string, string>()
  readonly #measured = new WeakMap<FileDifference, Map<string, true | string>>()
  /** The last complete one of each folder, until its attempt is done. */
  readonly #looks = new Map<string, GitSnapshot>()
  readonly #trees = new Map<string, KnownTree>()

  constructor(log: Log, exclude: readonly string[]) {
    this.#log = log
    this.#exclude = exclude
  }

  async expectLook(directory: string): Promise<void> {
    if (findTop(directory) !== null && (await whyNoGit()) === undefined) await gitRoom()?.folder()
  }

  async take(
    directory: string,
    patterns: readonly string[] = [],
    asked: readonly string[] = [],
  ): Promise<Snapshot> {
    const snapshot = await this.#look(directory, { asked, beside: () => readyToTell(patterns) })
    if (snapshot.kind === 'git') return snapshot
    if (this.#logged.get(directory) !== snapshot.reason)
      this.#log.info('git cannot serve here, so the folder is walked', { directory, reason: snapshot.reason })
    this.#logged.set(directory, snapshot.reason)
    return this.#walk(directory)
  }

  async difference(first: Snapshot, second: Snapshot): Promise<FileDifference> {
    const [before, after] = [ownSnapshot(first), ownSnapshot(second)]
    if (before.kind === 'git')
      return differenceSinceGit(
        before,
        after.kind === 'git' ? after : null,
        await exclusionsIn(before.directory, this.#exclude),
      )
    // The agent may have made the folder a repository: compare it as a plain folder anyway.
    return differenceOfWalks(before, after.kind === 'walk' ? after : await this.#walk(after.directory))
  }

  async takeProtected(taken: Snapshot, patterns: readonly string[]): Promise<ProtectedState> {
    const snapshot = ownSnapshot(taken)
    const known = this.#knownProtected.get(snapshot.directory) ?? NOTHING_KNOWN
    const state = await takeProtected(snapshot, patterns, known)
    this.#knownProtected.set(snapshot.directory, state.known)
    return state
  }

  // Safe, as for snapshots: every protected state and text that comes back was created above.
  protectedChanges: Snapshotter['protectedChanges'] = (before, difference) =>
    protectedChanges(before as ProtectedState, difference)

  keepTexts: Snapshotter['keepTexts'] = (taken) => keepTexts(ownSnapshot(taken))

  patch: Snapshotter['patch'] = (before, difference, maxBytes) =>
    patchOf(before as KeptTexts, difference, maxBytes)

  filesBefore: Snapshotter['filesBefore'] = (before, difference) =>
    filesBefore(before as KeptTexts, difference).catch(() => null)

  unsaved: Snapshotter['unsaved'] = async (snapshot) => unsavedFiles(ownSnapshot(snapshot))

  committed: Snapshotter['committed'] = (snapshot, difference) =>
    committedFiles(ownSnapshot(snapshot), difference).catch(() => new Map())

  uncommitted: Snapshotter['uncommitted'] = async (snapshot) => {
    const own = ownSnapshot(snapshot)
    if (own.kind !== 'git') return []
    return [...own.dirty]
      .filter(
        ([path, { committed, content }]) =>
          committed !== content && !own.nested.some((folder) => isWithin(path, folder)),
      )
      .map(([path]) => toText(path))
      .sort()
  }

  unchanged: Snapshotter['unchanged'] = async (snapshot) => {
    const own = ownSnapshot(snapshot)
    if (own.kind !== 'git') return []
    return [...own.index.entries.keys()].filter((path) => !own.dirty.has(path)).map(toText)
  }

  // Claimed files are also offered as evidence: don't ask twice about one attempt.
  measurable: Snapshotter['measurable'] = async (directory, paths, difference) => {
    const known = this.#measured.get(difference) ?? new Map<string, true | string>()
    this.#measured.set(difference, known)
    const asked = paths.filter((path) => !known.has(path))
    const answers = await findMeasurable(
      directory,
      asked,
      await exclusionsIn(directory, this.#exclude),
      new Set(changedPaths(difference)),
      difference.walked === true,
    )
    for (const [index, path] of asked.entries()) known.set(path, answers[index] ?? NOT_MEASURED)
    return paths.map((path) => known.get(path) ?? NOT_MEASURED)
  }

  endingIn: Snapshotter['endingIn'] = (snapshot, ends) => pathsEndingIn(ownSnapshot(snapshot), ends)

  treeNow: Snapshotter['treeNow'] = async (directory, hasRun) => {
    if ((await whyNoGit()) !== undefined) return null
    const last = this.#looks.get(directory)
    if (last === undefined || hasRun || isWrittenSince(last)) await this.#look(directory, {})
    const look = this.#looks.get(directory)
    const tree =
      look === undefined ? null : await treeOfLook(look, this.#trees.get(directory) ?? null).catch(() => null)
    if (last === undefined) this.#looks.delete(directory)
    if (tree === null) return treeOfWork(directory).catch(() => null)
    this.#trees.set(directory, tree)
    return tree.state
  }

  /** The other snapshots are garbage collected. */
  async done(): Promise<void> {
    this.#looks.clear()
  }

  async #look(directory: string, options: Pick<LookOptions, 'asked' | 'beside'>): ReturnType<typeof takeGit> {
    const excluded = await exclusionsIn(directory, this.#exclude)
    const known = this.#known.get(directory) ?? new Map()
    const listing = this.#listings.get(directory) ?? new KeptListing()
    this.#listings.set(directory, listing)
    const snapshot = await takeGit(directory, excluded, known, { ...options, listing })
    if (snapshot.kind === 'git') this.#known.set(directory, snapshot.known)
    if (snapshot.kind === 'git' && excluded.length === 0) this.#looks.set(directory, snapshot)
    else this.#looks.delete(directory)
    return snapshot
  }

  async #walk(directory: string): Promise<WalkSnapshot> {
    const excluded = await exclusionsIn(directory, this.#exclude)
    const snapshot = await takeWalk(directory, excluded, this.#walked.get(directory) ?? null)
    this.#walked.set(directory, snapshot)
    return snapshot
  }
}

/** Returns whether the contract or configuration, which Pulseward itself may restore after checking them, changed since then. */
function isWrittenSince({ directory, takenAtMs }: GitSnapshot): boolean {
  return CUSTODY_FILES.some((name) => {
    const found = lstatSync(join(directory, name), { throwIfNoEntry: false })
    return found !== undefined && found.ctimeMs >= takenAtMs
  })
}

/** The port keeps snapshots opaque; every one that comes back was created by `take` above. */
function ownSnapshot(snapshot: Snapshot): GitSnapshot | WalkSnapshot {
  return snapshot as GitSnapshot | WalkSnapshot
}

/** Returns the excluded paths strictly inside `directory`, relative to it. One around it excludes nothing. */
async function exclusionsIn(directory: string, exclude: readonly string[]): Promise<RawPath[]> {
  const real = await realPathOf(directory)
  const inside = await Promise.all(exclude.map(async (path) => relativeWithin(real, await realPathOf(path))))
  return inside.flatMap((path) => (path === null || path === '' ? [] : [fromText(path)]))
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
