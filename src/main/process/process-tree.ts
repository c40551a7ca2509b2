import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { hasVariable, type ProcessEntry, processNumbers, readProcess, ticksOf } from './process-identity.ts'

/*
 * All processes descended from one program we started. The program leads a process group and a session; on Linux its descendants are also
 * found through /proc, by their parents and by a marker in their environment, so that one that called setsid is not lost. What escapes: a
 * process that has left the session, the environment and its parent behind (an unprivileged program cannot prevent that), and on macOS
 * anything outside the group.
 */

/** What identifies a process tree. */
export interface ProcessTree {
  /** Number of the program we started, and of its group; `null` if the number may have been reused. */
  readonly pid: number | null
  /** When that program started, from `processStart`; `null` if unknown. */
  readonly start: string | null
  /** Value of `MARKER_VARIABLE` in the program's environment, unique to the tree. */
  readonly marker: string
  /** True if the program we started runs the actual one in a namespace whose first process is its child. */
  readonly hasKeeper?: boolean | undefined
}

/** Inherited by every descendant; also distinguishes a nested supervisor's processes. */
export const MARKER_VARIABLE = 'PULSEWARD_RUN'

const POLL_MS = 20

/** Members found so far, with their start times: if a member's parent has ended, nothing else can find it. */
type Seen = Map<number, number>

/** On a busy machine the list always changes: after this many scans without a member, the tree counts as gone. */
const MAX_LOOKS = 4

/** Returns whether any process of the tree is still running. On Windows checks only the program itself. */
export function isTreeAlive(tree: ProcessTree, seen: Seen = new Map()): boolean {
  if (process.platform !== 'linux') return tree.pid !== null && isGroupAlive(tree.pid)
  const older = new Set<number>()
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const before = new Set(processNumbers())
    if (findMembers(tree, seen, older).length > 0) return true
    // A process that forked and ended during the scan is no longer listed, and its child not yet; one that is executing another
    // program has no environment. So an empty result counts only if nothing started since the scan before.
    if (look > 0 && processNumbers().every((number) => before.has(number))) return false
  }
  return false
}

/** Resolves with whether every process of the tree ends by itself within `graceMs` of real time. */
export function isTreeGoneWithin(tree: ProcessTree, graceMs: number): Promise<boolean> {
  return goneWithin(tree, graceMs, new Map(), () => {})
}

/**
 * Kills every process of the tree: SIGTERM, and SIGKILL for what is left after `graceMs`. Resolves with whether all are gone;
 * false after a second `graceMs` (a process stuck in the kernel). The grace period is real time, because it is for the processes.
 */
export async function endProcessTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  const seen: Seen = new Map()
  signalTree(tree, seen, 'SIGTERM')
  if (await goneWithin(tree, graceMs, seen, () => {})) return true
  // A tree that keeps forking may escape one round.
  return goneWithin(tree, graceMs, seen, () => signalTree(tree, seen, 'SIGKILL'))
}

/** A tree that forks as fast as it is found is suspended only in part. */
const MAX_ROUNDS = 50

/**
 * Suspends every process of the tree until it is resumed or killed, so that what is being judged does not change. Does nothing on
 * Windows.
 */
export function haltProcessTree(tree: ProcessTree): void {
  if (process.platform === 'win32') return
  const { pid } = tree
  if (process.platform !== 'linux') {
    if (pid !== null) send(-pid, 'SIGSTOP')
    return
  }
  const seen: Seen = new Map()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const known = new Set(seen.keys())
    const fresh = findMembers(tree, seen).filter((member) => !known.has(member.pid))
    // What a process forked before it was suspended is found in the next round.
    if (fresh.length === 0) return
    for (const member of fresh) send(member.pid, 'SIGSTOP')
  }
}

/** Resumes a suspended tree. */
export function resumeProcessTree(tree: ProcessTree): void {
  if (process.platform === 'win32') return
  if (process.platform === 'linux')
    for (const member of findMembers(tree, new Map())) send(member.pid, 'SIGCONT')
  else if (tree.pid !== null) send(-tree.pid, 'SIGCONT')
}

async function goneWithin(
  tree: ProcessTree,
  graceMs: number,
  seen: Seen,
  eachRound: () => void,
): Promise<boolean> {
  const deadlineMs = performance.now() + graceMs
  for (;;) {
    eachRound()
    if (!isTreeAlive(tree, seen)) return true
    if (performance.now() >= deadlineMs) return false
    await delay(POLL_MS)
  }
}

function signalTree(tree: ProcessTree, seen: Seen, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = tree
  const members = process.platform === 'linux' ? findMembers(tree, seen) : []
  // A keeper's end kills everything in its namespace: ask the processes inside first.
  if (tree.hasKeeper === true && signal === 'SIGTERM') {
    askKept(pid, members)
    return
  }
  const isGroupThere = process.platform !== 'linux' || members.some(({ group }) => group === pid)
  if (pid !== null && process.platform === 'win32') endWindowsTree(pid)
  // Kill the process group first so no child escapes by forking; then the processes outside it.
  else if (pid !== null && isGroupThere) send(-pid, signal)
  for (const member of members) if (member.group !== pid) send(member.pid, signal)
}

function askKept(keeper: number | null, members: readonly ProcessEntry[]): void {
  const isKeeping = (member: ProcessEntry): boolean => member.pid === keeper || member.parent === keeper
  for (const member of members) if (!isKeeping(member)) send(member.pid, 'SIGTERM')
}

/** Untested on Windows. A console program there has no SIGTERM, so it is killed at once. */
function endWindowsTree(pid: number): void {
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  } catch {
    // It had already ended.
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or changed its user: either way there is nothing left to do.
  }
}

function isGroupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the tree's living processes, without zombies, and adds them to `seen`. Adds processes older than the tree to `older`, and doesn't read
 * those again: none can belong to it, and on a desktop nearly all are.
 */
function findMembers(tree: ProcessTree, seen: Seen, older: Set<number> = new Set()): ProcessEntry[] {
  const startTicks = ticksOf(tree.start)
  const entries: ProcessEntry[] = []
  for (const number of processNumbers()) {
    const entry = older.has(number) ? null : readProcess(number)
    if (entry === null) continue
    // This also avoids reading most environments.
    if (entry.startTicks < startTicks) older.add(number)
    else if (!entry.isZombie) entries.push(entry)
  }
  const members = new Map<number, ProcessEntry>()
  for (const entry of entries) {
    const isInSession = tree.pid !== null && (entry.group === tree.pid || entry.session === tree.pid)
    const wasSeen = seen.get(entry.pid) === entry.startTicks
    if (isInSession || wasSeen || hasVariable(entry.pid, MARKER_VARIABLE, tree.marker))
      members.set(entry.pid, entry)
  }
  addDescendants(members, entries)
  for (const { pid, startTicks: start } of members.values()) seen.set(pid, start)
  return [...members.values()]
}

function addDescendants(members: Map<number, ProcessEntry>, entries: readonly ProcessEntry[]): void {
  for (let before = -1; before !== members.size; ) {
    before = members.size
    for (const entry of entries) if (members.has(entry.parent)) members.set(entry.pid, entry)
  }
}
