import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { collidingPath, staysBelow } from '../../core/text/tree-path.ts'
import { removeAll } from '../files/remove-all.ts'
import { sha256 } from '../files/sha256.ts'
import type { Clock } from '../ports/clock.ts'
import type { Uncovered } from '../ports/containment.ts'
import type { CheckRoom, OpenedRoom } from '../ports/custody.ts'
import { runProcess } from '../process/run-process.ts'
import { copyTree } from './copy-tree.ts'

/** How files below the top must be in a clean room. Paths are relative to the top, with `/`. */
export interface RoomPlan {
  readonly write: readonly {
    readonly path: string
    readonly bytes: Buffer
    readonly isExecutable: boolean
    /** True for a symbolic link whose target is `bytes`. */
    readonly isLink?: true
  }[]
  readonly remove: readonly string[]
}

export interface RoomRequest {
  /** Top of the tree: of the repository, or the workspace itself. Absolute. */
  readonly top: string
  /** The workspace, at or below the top. Absolute. */
  readonly directory: string
  readonly plan: RoomPlan
  /** Git's data if it is outside the tree; omitted or `null`: it is inside. */
  readonly beside?: { readonly top: string; readonly plan: RoomPlan } | null
  readonly signal: AbortSignal
}

export interface RoomMaker {
  open(request: RoomRequest): Promise<OpenedRoom>
  /** Removes what a crash left. Never rejects. */
  sweep(): Promise<void>
}

export interface RoomMakerOptions {
  /** The folder of open rooms, inside the data folder. */
  readonly directory: string
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  /** For tests: the ways to try, in this order. */
  readonly ways?: readonly RoomWay[]
}

const CARGO_CONFIG = /(?:^|\/)\.cargo\/config(?:\.toml)?$/

/**
 * Returns the room with settings that make checks compile with the baseline's programs. Cargo does not notice a different
 * wrapper, runner or linker: it would run what was built in place with the agent's. With a wrapper that changes nothing it
 * rebuilds the packages of the workspace, but not their dependencies.
 */
function compiledAgain(room: CheckRoom, { write, remove }: RoomPlan): CheckRoom {
  const paths = [...remove, ...write.map(({ path }) => path)]
  if (process.platform === 'win32' || !paths.some((path) => CARGO_CONFIG.test(path))) return room
  return { ...room, enter: (command) => room.enter(['env', 'RUSTC_WORKSPACE_WRAPPER=env', ...command]) }
}

export type RoomWay = 'namespace' | 'copy'

/** An overlay takes milliseconds; a copy of a large tree may take this long. */
const SETUP_MS = 60_000
/**
 * Makes clean rooms: the agent's tree with other files in a few places. Nothing that runs in a room changes anything outside. Several
 * commands may run in one, in sequence or in parallel, without seeing what another wrote. Uses an overlay over the tree in a separate mount
 * namespace where the system allows it (Linux), otherwise a copy with everything that is installed.
 */
export function createRoomMaker({
  directory,
  clock,
  ways = ['namespace', 'copy'],
}: RoomMakerOptions): RoomMaker {
  let namespaceTrouble: string | null = null
  // A check's sandbox hides our data folder, so a copy goes where it can be shown, under a name specific to this workspace.
  const copies = `pulseward-room-${sha256(directory).slice(0, 12)}-`

  async function openOverlay(request: RoomRequest, place: string): Promise<OpenedRoom> {
    if (process.platform !== 'linux') return none('this system has no mount namespaces')
    if (namespaceTrouble !== null) return none(namespaceTrouble)
    const room = await prepareOverlay(request, place)
    const { command, directory: folder } = room.enter(['true'])
    const { signal } = request
    const trial = await runProcess({
      command,
      directory: folder,
      stdin: null,
      timeoutMs: SETUP_MS,
      signal,
      maxBytes: 4096,
      clock,
    })
    if (trial.exitCode === 0) return { kind: 'room', room }
    const words =
      trial.failure?.message ?? (trial.stderr.text.trim().split('\n').at(-1) || 'it gave no reason')
    const reason = `an overlay could not be made: ${words}`
    // The way is missing or always refused, so don't try it again. A plan that does not fit only concerns this room.
    if (trial.failure !== null || /unshare|not permitted|Operation not|must be superuser/i.test(words))
      namespaceTrouble = reason
    return none(reason)
  }

  return {
    open: async (request) => {
      const impossible = [request.plan, request.beside?.plan].map(impossibleIn).find((path) => path !== null)
      if (impossible !== undefined) return none(`${JSON.stringify(impossible)} cannot stand in it`)
      const reasons: string[] = []
      for (const way of ways) {
        const place =
          way === 'copy' ? join(tmpdir(), `${copies}${randomUUID()}`) : join(directory, randomUUID())
        const opened = await (way === 'namespace'
          ? openOverlay(request, place)
          : openCopy(request, place)
        ).catch((error: unknown) => none(error instanceof Error ? error.message : String(error)))
        if (opened.kind === 'room') {
          const room = compiledAgain(opened.room, request.plan)
          return { kind: 'room', room: { ...room, hasProgram: programsOf(request) } }
        }
        reasons.push(opened.reason)
        await removeAll(place)
      }
      return none(reasons.join('; '))
    },
    sweep: async () => {
      await removeAll(directory)
      const left = (await readdir(tmpdir()).catch(() => [])).filter((name) => name.startsWith(copies))
      for (const name of left) await removeAll(join(tmpdir(), name))
    },
  }
}

/** Returns whether a plan writes a program, or a link that may lead to one, at an absolute path. */
function programsOf({ top, plan }: RoomRequest): NonNullable<CheckRoom['hasProgram']> {
  const written = plan.write.filter(({ isExecutable, isLink }) => isExecutable || isLink === true)
  const paths = new Set(written.map(({ path }) => join(top, path)))
  return (path) => paths.has(path)
}

/** Returns a path of a plan that would lead out of the room, by its name or through a link of the plan; `null` if there is none. */
function impossibleIn(plan: RoomPlan | undefined): string | null {
  if (plan === undefined) return null
  const written = plan.write.map(({ path }) => path)
  return [...written, ...plan.remove].find((path) => !staysBelow(path)) ?? collidingPath(written)
}

function none(reason: string): OpenedRoom {
  return { kind: 'none', reason }
}

/*
 * Runs inside the new mount namespace. The upper layer is on a tmpfs of that namespace, so it disappears with the last process,
 * whatever happens to us. The workspace keeps its absolute path, and the check keeps its user: we are root in a private user
 * namespace while we build the room, and are mapped back before the check begins. Layers are named by file descriptor, because a
 * comma or colon in a path would end the mount option; so are the plan's files, which the layer hides if they are below it.
 *
 * The home folder is also bound without the room's mounts, because in a separate user namespace no sandbox could mount a layer over
 * a folder that contains other mounts. If the bind fails, its mount point is removed, and the sandbox can't start either.
 *
 * $1 top  $2 working directory  $3 place of the room  $4 user id or empty  $5 group id  $6 git's data outside of the tree, or empty
 * $7 the home folder, if something is mounted in it, or empty
 * then the command
 */
const ENTER = `set -e
top=$1 folder=$2 place=$3 user=$4 group=$5 beside=$6 home=$7
shift 7
if [ -n "$home" ]; then mount --bind "$home" "$place/uncovered/home" 2>/dev/null || rmdir "$place/uncovered/home" 2>/dev/null || true; fi
mount -t tmpfs -o mode=0755 tmpfs "$place/scratch"
layer() {
mkdir "$place/scratch/upper$2" "$place/scratch/work$2"
exec 7<"$1" 8<"$place/scratch/upper$2" 9<"$place/scratch/work$2"
removes= writes=
if [ -e "$place/remove$2" ]; then removes=1; exec 5<"$place/remove$2"; fi
if [ -e "$place/files$2" ]; then writes=1; exec 6<"$place/files$2"; fi
layers=lowerdir=/proc/self/fd/7,upperdir=/proc/self/fd/8,workdir=/proc/self/fd/9
mount -t overlay overlay -o "$layers,userxattr" "$1" 2>/dev/null || mount -t overlay overlay -o "$layers" "$1"
exec 7<&- 8<&- 9<&-
cd "$1"
if [ -n "$removes" ]; then xargs -0 rm -rf -- <&5; exec 5<&-; fi
if [ -n "$writes" ]; then cp -R -p /proc/self/fd/6/. .; exec 6<&-; fi
}
if [ -n "$beside" ]; then layer "$beside" 2; fi
layer "$top" ''
cd "$folder"
if [ -n "$user" ]; then exec unshare --user --map-user="$user" --map-group="$group" -- "$@"; fi
exec "$@"
`

async function prepareOverlay(
  { top, directory, plan, beside = null }: RoomRequest,
  place: string,
): Promise<CheckRoom> {
  await mkdir(join(place, 'scratch'), { recursive: true, mode: 0o700 })
  await prepareLayer(top, plan, place, '')
  if (beside !== null) await prepareLayer(beside.top, beside.plan, place, '2')
  const uncovered = await uncoveredHome([top, place, beside?.top ?? ''], join(place, 'uncovered', 'home'))
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const isRoot = user === 0
  const unshare = isRoot
    ? ['unshare', '--mount', '--propagation', 'private']
    : ['unshare', '--user', '--map-root-user', '--mount']
  return {
    enter: (command) => ({
      command: [
        ...unshare,
        'sh',
        '-c',
        ENTER,
        'room',
        top,
        directory,
        place,
        isRoot ? '' : String(user),
        String(group),
        beside?.top ?? '',
        uncovered?.folder ?? '',
        ...command,
      ],
      directory,
    }),
    copy: null,
    ...(uncovered !== null && { uncovered }),
    close: () => removeAll(place),
  }
}

/** Returns the home folder, and where it is visible without what is mounted in it; `null` if nothing is mounted in it. */
async function uncoveredHome(mounted: readonly string[], at: string): Promise<Uncovered | null> {
  const folder = await realpath(homedir()).catch(() => null)
  if (folder === null || !mounted.some((path) => path.startsWith(folder + sep))) return null
  await mkdir(at, { recursive: true })
  return { folder, at }
}

async function prepareLayer(top: string, plan: RoomPlan, place: string, layer: string): Promise<void> {
  const remove = await removedFrom(top, plan)
  const names = remove.map((path) => `./${path}\0`).join('')
  if (names !== '') await writeFile(join(place, `remove${layer}`), names, { mode: 0o600 })
  if (plan.write.length > 0) await writeFiles(join(place, `files${layer}`), plan)
}

/**
 * Returns what is removed before the files of a plan are written. Python matches byte code with a file by the file's size and
 * the second of its last change, and a file of the plan may share both with the one that it replaces.
 */
async function removedFrom(top: string, plan: RoomPlan): Promise<readonly string[]> {
  const byteCode = plan.write
    .filter(({ path }) => path.endsWith('.py'))
    .map(({ path }) => `${path.slice(0, path.lastIndexOf('/') + 1)}__pycache__`)
  return [...(await standing(top, [...new Set(byteCode), ...plan.remove])), ...(await inTheWay(top, plan))]
}

/** Returns what is in the way of the plan's folders: a link instead of `tests` would lead the baseline's files out of the room. */
async function inTheWay(top: string, { write }: RoomPlan): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const { path } of write) {
    const parts = path.split('/')
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const part = parts.slice(0, depth).join('/')
      const stats = await lstat(join(top, part)).catch(() => null)
      if (stats === null) break
      const isMeant = depth < parts.length ? stats.isDirectory() : false
      if (isMeant) continue
      found.add(part)
      break
    }
  }
  return [...found]
}

/** Returns the paths that are reached through folders only: what is behind a link is not in the tree, and is not removed. */
async function standing(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const isFolder = new Map<string, boolean>()
  const known = async (folder: string): Promise<boolean> => {
    if (folder === '.') return true
    const before = isFolder.get(folder)
    if (before !== undefined) return before
    const stats = (await known(dirname(folder))) ? await lstat(join(top, folder)).catch(() => null) : null
    isFolder.set(folder, stats?.isDirectory() === true)
    return stats?.isDirectory() === true
  }
  const found: string[] = []
  for (const path of paths) if (await known(dirname(path))) found.push(path)
  return found
}

async function writeFiles(root: string, { write }: RoomPlan): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o755 })
  for (const { path, bytes, isExecutable, isLink } of write) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    if (isLink) {
      await symlink(bytes, file)
      continue
    }
    await writeFile(file, bytes)
    await chmod(file, isExecutable ? 0o755 : 0o644)
  }
}

/**
 * Makes a room by copying the tree with its dependencies and git's data. A Python environment may still start the workspace's own files by
 * absolute path, so it is told not to write byte code.
 */
async function openCopy(
  { top, directory, plan, beside = null, signal }: RoomRequest,
  place: string,
): Promise<OpenedRoom> {
  if (beside !== null && beside.plan.write.length + beside.plan.remove.length > 0)
    return none('git reads files outside this work tree, which a copy would share')
  const copy = join(place, 'copy')
  await mkdir(place, { recursive: true, mode: 0o700 })
  await copyTree(top, copy, { left: [place], signal })
  for (const path of await removedFrom(copy, plan))
    await rm(join(copy, path), { recursive: true, force: true })
  await writeFiles(copy, plan)
  const folder = join(copy, relative(top, directory))
  const environment =
    process.platform === 'win32' ? [] : ['env', 'PYTHONDONTWRITEBYTECODE=1', 'GIT_OPTIONAL_LOCKS=0']
  return {
    kind: 'room',
    room: {
      enter: (command) => ({ command: [...environment, ...command], directory: folder }),
      copy: place,
      close: () => removeAll(place),
    },
  }
}
