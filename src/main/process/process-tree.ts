import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { hasVariable, type ProcessEntry, processNumbers, readProcess, ticksOf } from './process-identity.ts'

/*
 * All processes that came of one program we started. The program leads a process group and a session of its own; on Linux
 * its descendants are found through /proc as well, by their parents and by a marker in their environment, so that one that
 * called setsid is not lost. What gets away: a process that has left the session, the environment and its parent behind (no
 * unprivileged program can hold on to it), and on macOS anything outside the group.
 */

/** What a process tree is recognised by. */
export interface ProcessTree {
  /** Of the program we started, and of its group; `null` where the number may be another's by now. */
  readonly pid: number | null
  /** When that program started, as `processStart` says it; `null` where it could not be known. */
  readonly start: string | null
  /** Value of `MARKER_VARIABLE` in the program's environment, unique to the tree. */
  readonly marker: string
  /** The program we started keeps the one that was meant in a namespace of its own, whose first process is its child. */
  readonly hasKeeper?: boolean | undefined
}

/** Inherited by every descendant; also tells a nested supervisor's processes apart. */
export const MARKER_VARIABLE = 'PULSEWARD_RUN'

const POLL_MS = 20

/**
 * Members found so far, with their starts: one whose parent has ended meanwhile can be found by nothing else any more.
 */
type Seen = Map<number, number>

/** On a machine where something begins all the time a list is never still: after so many none is left of the tree. */
const MAX_LOOKS = 4

/** Whether any process of the tree is still running. On Windows only the program itself is looked at. */
export function isTreeAlive(tree: ProcessTree, seen: Seen = new Map()): boolean {
  if (process.platform !== 'linux') return tree.pid !== null && isGroupAlive(tree.pid)
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const before = new Set(processNumbers())
    if (findMembers(tree, seen).length > 0) return true
    // One that forked and ended while the list was read is in it no more, its child not yet; and one has no environment while it becomes
    // another program. So none is believed twice, and only where nothing began meanwhile.
    if (look > 0 && processNumbers().every((number) => before.has(number))) return false
  }
  return false
}

/** Whether every process of the tree ends by itself within `graceMs` of real time. */
export function isTreeGoneWithin(tree: ProcessTree, graceMs: number): Promise<boolean> {
  return goneWithin(tree, graceMs, new Map(), () => {})
}

/**
 * Ends every process of the tree: SIGTERM, and SIGKILL for what is left after `graceMs`. Resolves with whether all are gone;
 * false after a second `graceMs` (a process stuck in the kernel). The grace is real time: it is the processes that wait.
 */
export async function endProcessTree(tree: ProcessTree, graceMs: number): Promise<boolean> {
  const seen: Seen = new Map()
  signalTree(tree, seen, 'SIGTERM')
  if (await goneWithin(tree, graceMs, seen, () => {})) return true
  // A tree that goes on forking may slip through one round.
  return goneWithin(tree, graceMs, seen, () => signalTree(tree, seen, 'SIGKILL'))
}

/** A tree that forks as fast as it is found is stopped as far as this. */
const MAX_ROUNDS = 50

/**
 * Stops every process of the tree where it stands, until it is resumed or ended: so that what is judged stays as it is. On Windows it
 * does nothing.
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
    // What a process forked before it was stopped is found in the next round.
    if (fresh.length === 0) return
    for (const member of fresh) send(member.pid, 'SIGSTOP')
  }
}

/** Lets a stopped tree go on. */
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
  // A keeper that ends takes all with it at once: what it keeps is asked first.
  if (tree.hasKeeper === true && signal === 'SIGTERM') {
    askKept(pid, members)
    return
  }
  const isGroupThere = process.platform !== 'linux' || members.some(({ group }) => group === pid)
  if (pid !== null && process.platform === 'win32') endWindowsTree(pid)
  // The group at one blow, so that none of it forks away in between; then those outside it.
  else if (pid !== null && isGroupThere) send(-pid, signal)
  for (const member of members) if (member.group !== pid) send(member.pid, signal)
}

function askKept(keeper: number | null, members: readonly ProcessEntry[]): void {
  const isKeeping = (member: ProcessEntry): boolean => member.pid === keeper || member.parent === keeper
  for (const member of members) if (!isKeeping(member)) send(member.pid, 'SIGTERM')
}

/** Untested: no Windows machine has run this. A console program there has no SIGTERM, so it is forced at once. */
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
    // It ended in the meantime, or it changed its user: either way there is nothing more to be done.
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

/** The tree's living processes, zombies left out; they are entered in `seen`. */
function findMembers(tree: ProcessTree, seen: Seen): ProcessEntry[] {
  const startTicks = ticksOf(tree.start)
  // What is older than the tree cannot belong to it; that also spares reading the environment of most processes.
  const entries = processNumbers()
    .map(readProcess)
    .filter((entry) => entry !== null)
    .filter((entry) => !entry.isZombie && entry.startTicks >= startTicks)
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
