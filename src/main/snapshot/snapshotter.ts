import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { changedPaths } from '../../core/verification/difference.ts'
import type { Log } from '../ports/log.ts'
import type { Snapshot, Snapshotter } from '../ports/snapshotter.ts'
import { createContentReader, type KnownContents } from './content.ts'
import { committedFiles, unsavedFiles } from './former-files.ts'
import { type GitSnapshot, takeGit } from './git-snapshot.ts'
import { findMeasurable } from './measurable.ts'
import { type KnownWeights, type ProtectedState, protectedChanges, takeProtected } from './protected-files.ts'
import { fromText, type RawPath, relativeWithin } from './raw-path.ts'
import { differenceSinceGit } from './seen-through-git.ts'
import { filesBefore, type KeptTexts, keepTexts, patchOf } from './text-difference.ts'
import { differenceOfWalks, takeWalk, type WalkSnapshot } from './walk-snapshot.ts'

export interface SnapshotterDependencies {
  readonly log: Log
  /** Absolute paths of the supervisor's own files; those inside the folder are left out. */
  readonly exclude?: readonly string[]
}

/**
 * Snapshots through git where the folder lies in a work tree, else by walking it. Hashes of unchanged files are kept from
 * one snapshot to the next, so one snapshotter should serve all snapshots of a folder.
 */
export function createSnapshotter({ log, exclude = [] }: SnapshotterDependencies): Snapshotter {
  const known = new Map<string, KnownContents>()
  const knownWeights = new Map<string, KnownWeights>()
  /** Why git cannot serve, by folder, as last logged: it is notified once, not at every heartbeat. */
  const logged = new Map<string, string>()

  async function walk(directory: string): Promise<WalkSnapshot> {
    const reader = createContentReader(directory, 'sha256', known.get(directory) ?? new Map())
    const snapshot = await takeWalk(directory, await exclusionsIn(directory, exclude), reader)
    known.set(directory, reader.known())
    return snapshot
  }

  return {
    take: async (directory) => {
      const excluded = await exclusionsIn(directory, exclude)
      const snapshot = await takeGit(directory, excluded, known.get(directory) ?? new Map())
      if (snapshot.kind === 'git') {
        known.set(directory, snapshot.known)
        return snapshot
      }
      if (logged.get(directory) !== snapshot.reason)
        log.info('git cannot serve here, the folder is walked', { directory, reason: snapshot.reason })
      logged.set(directory, snapshot.reason)
      return walk(directory)
    },
    difference: async (first, second) => {
      const [before, after] = [ownSnapshot(first), ownSnapshot(second)]
      if (before.kind === 'git')
        return differenceSinceGit(
          before,
          after.kind === 'git' ? after : null,
          await exclusionsIn(before.directory, exclude),
        )
      // The agent may have made the folder a repository: it is still compared as the folder it was.
      return differenceOfWalks(before, after.kind === 'walk' ? after : await walk(after.directory))
    },
    takeProtected: async (taken, patterns) => {
      const snapshot = ownSnapshot(taken)
      const state = await takeProtected(snapshot, patterns, knownWeights.get(snapshot.directory) ?? new Map())
      knownWeights.set(snapshot.directory, state.known)
      return state
    },
    // As with snapshots: every one that comes back was made above.
    protectedChanges: (before, difference) => protectedChanges(before as ProtectedState, difference),
    keepTexts: (taken) => keepTexts(ownSnapshot(taken)),
    // As with snapshots: every one that comes back was made above.
    patch: (before, difference, maxBytes) => patchOf(before as KeptTexts, difference, maxBytes),
    filesBefore: (before, difference) => filesBefore(before as KeptTexts, difference).catch(() => null),
    unsaved: (snapshot) => unsavedFiles(ownSnapshot(snapshot)),
    committed: (snapshot, difference) =>
      committedFiles(ownSnapshot(snapshot), difference).catch(() => new Map()),
    isDirty: (snapshot) => {
      const own = ownSnapshot(snapshot)
      return (
        own.kind === 'git' && [...own.dirty.values()].some(({ committed, content }) => committed !== content)
      )
    },
    measurable: async (directory, paths, difference) =>
      findMeasurable(
        directory,
        paths,
        await exclusionsIn(directory, exclude),
        new Set(changedPaths(difference)),
        difference.walked === true,
      ),
  }
}

/** The port keeps snapshots opaque; every one that comes back was made by `take` above. */
function ownSnapshot(snapshot: Snapshot): GitSnapshot | WalkSnapshot {
  return snapshot as GitSnapshot | WalkSnapshot
}

/** The excluded paths that lie strictly inside `directory`, relative to it. One around it excludes nothing. */
async function exclusionsIn(directory: string, exclude: readonly string[]): Promise<RawPath[]> {
  const real = await realPathOf(directory)
  const inside = await Promise.all(exclude.map(async (path) => relativeWithin(real, await realPathOf(path))))
  return inside.flatMap((path) => (path === null || path === '' ? [] : [fromText(path)]))
}

async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
