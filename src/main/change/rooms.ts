import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createRoomMaker, type RoomPlan } from '../custody/clean-room.ts'
import type { Clock } from '../ports/clock.ts'
import type { OpenedRoom } from '../ports/custody.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'
import { type ObjectReader, type TreeFile, unreadableFile } from './object-reader.ts'
import type { Repository } from './repository.ts'

/** Opens rooms that show a tree of the repository instead of the work tree, with everything that is installed there. */
export interface TreeRooms {
  /** Absolute path at which the tree appears. */
  readonly top: string
  /**
   * Opens a room with the files of `tree`, except those that `instead` replaces or removes. Several commands may run in it; what they write
   * is deleted with it.
   */
  readonly open: (tree: string, instead?: RoomPlan) => Promise<TreeRoom>
  readonly close: () => Promise<void>
}

export type TreeRoom =
  | (Extract<OpenedRoom, { readonly kind: 'room' }> & {
      /** How the room differs from the work tree. */
      readonly plan: RoomPlan
    })
  | Extract<OpenedRoom, { readonly kind: 'none' }>

const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

export interface TreeRoomsOptions {
  readonly repository: Repository
  readonly objects: ObjectReader
  /** The tree of the work tree in its current state; `null` if there is none. */
  readonly workTree: string | null
  /** Paths of the work tree that rooms hide unless their tree has them. */
  readonly hidden: readonly string[]
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly signal: AbortSignal
}

/** Creates rooms for the trees of a repository. Without a work tree, their files are written into a folder of ours. */
export async function openTreeRooms({
  repository,
  objects,
  workTree,
  hidden,
  clock,
  signal,
}: TreeRoomsOptions): Promise<TreeRooms> {
  const empty = join(objects.folder, 'tree')
  if (repository.top === null) await mkdir(empty)
  const top = await realpath(repository.top ?? empty)
  const maker = createRoomMaker({ directory: join(objects.folder, 'rooms'), clock })
  const from = workTree ?? EMPTY_TREE[repository.algorithm]
  const plans = new Map<string, Promise<RoomPlan>>()
  const planFor = (tree: string): Promise<RoomPlan> => {
    const known = plans.get(tree) ?? planBetween(objects, from, tree)
    plans.set(tree, known)
    return known
  }
  return {
    top,
    open: async (tree, instead = { write: [], remove: [] }) => {
      const plan = joined(await planFor(tree), instead)
      const laid = { ...plan, remove: [...hidden, ...plan.remove] }
      const opened = await maker.open({ top, directory: top, plan: laid, signal })
      return opened.kind === 'none' ? opened : { ...opened, plan }
    },
    close: () => maker.sweep(),
  }
}

/** Returns what to write and remove to turn the files of `from` into those of `to`. */
export async function planBetween(objects: ObjectReader, from: string, to: string): Promise<RoomPlan> {
  const changes = from === to ? new Map<RawPath, never>() : await objects.changes(from, to)
  const wanted = [...changes].flatMap(([path, { after }]) => {
    const name = toText(path)
    return after === null || after.mode === '160000' || name.includes('\ufffd')
      ? []
      : [{ path: name, ...after }]
  })
  const gone = [...changes].flatMap(([path, { after }]) => (after === null ? [toText(path)] : []))
  return { write: await laidOut(objects, wanted), remove: gone }
}

/**
 * Returns what to write to get these files of a tree. Rejects if one is missing: a check would otherwise run without a file that the change
 * has.
 */
export async function laidOut(
  objects: ObjectReader,
  entries: readonly (TreeFile & { readonly path: string })[],
): Promise<RoomPlan['write']> {
  const contents = await objects.read(entries.map(({ id }) => id))
  return entries.map(({ path, mode, id }) => {
    const bytes = contents.get(id)
    if (bytes === undefined) throw unreadableFile(path)
    return {
      path,
      bytes,
      isExecutable: mode === '100755',
      ...(mode === '120000' && { isLink: true as const }),
    }
  })
}

/** Merges two plans; the second takes precedence. */
function joined(plan: RoomPlan, instead: RoomPlan): RoomPlan {
  const later = new Set([...instead.remove, ...instead.write.map(({ path }) => path)])
  return {
    write: [...plan.write.filter(({ path }) => !later.has(path)), ...instead.write],
    remove: [...plan.remove.filter((path) => !later.has(path)), ...instead.remove],
  }
}
