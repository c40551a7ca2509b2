import type { FileDifference } from '../../core/verification/types.ts'
import type {
  Contain,
  ContainedRole,
  Containment,
  ContainmentAnswer,
  ProcessStart,
  StartNeeds,
} from '../ports/containment.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import { askHost, reportKept, threadLog, type Worked, worked } from '../process/do-jobs.ts'
import type { Job } from '../process/threads.ts'
import { createSnapshotter } from './snapshotter.ts'

/*
 * Runs the snapshotter in a thread: snapshots of a large folder have some hundred thousand entries, and processing them would
 * block the host. They stay in the thread; outside they are numbers.
 */

/** A call of a folder's snapshotter; arguments that stay in the thread are `Kept`. */
export interface SnapshotCall {
  readonly directory: string
  readonly exclude: readonly string[]
  /** The host provides git's sandbox. */
  readonly isContained: boolean
  /** The host knows when agents ran. */
  readonly knowsAgents: boolean
  readonly method: Exclude<keyof Snapshotter, 'done'>
  readonly args: readonly unknown[]
}

/** Represents an object that the thread keeps. */
export interface Kept {
  readonly kept: number
  /** What kind of snapshot it is. */
  readonly kind?: 'git' | 'walk'
  readonly difference?: FileDifference
}

export const SNAPSHOT: Job<SnapshotCall, unknown> = { name: 'snapshot' }
/** No more calls will refer to the folder's snapshots. */
export const SNAPSHOTS_DONE: Job<string, void> = { name: 'snapshots-done' }

/** How to start git for the folder; without `start`, asks whether it is sandboxed at all. */
export interface ContainedStart {
  readonly directory: string
  readonly role: ContainedRole
  readonly needs: StartNeeds
  readonly start: ProcessStart | null
}
type StartAnswer =
  | { readonly kind: 'open' }
  | Extract<ContainmentAnswer, { kind: 'refused' }>
  | { readonly kind: 'contained'; readonly means: Containment['means']; readonly start: ProcessStart | null }

/** Asks the host, because only it knows the sandbox. */
export const CONTAINED_START: Job<ContainedStart, StartAnswer> = { name: 'contained-start' }

export interface AgentsMoment {
  readonly directory: string
  /** Epoch ms. */
  readonly changedMs: number
}

/** Asks the host whether an agent was running at that moment, because only it knows when agents ran. */
export const DURING_AGENTS: Job<AgentsMoment, boolean> = { name: 'during-agents' }

/** Sandboxes git the way the host does. */
function containByHost(directory: string): Contain {
  return async (role, needs = {}) => {
    const answer = await askHost(CONTAINED_START, { directory, role, needs, start: null })
    if (answer.kind !== 'contained') return answer
    const wrap = async (start: ProcessStart): Promise<ProcessStart> => {
      const wrapped = await askHost(CONTAINED_START, { directory, role, needs, start })
      if (wrapped.kind !== 'contained' || wrapped.start === null)
        throw new Error("Git's sandbox no longer exists.")
      return wrapped.start
    }
    return { kind: 'contained', containment: { means: answer.means, wrap } }
  }
}

/** Methods whose result stays in the thread. */
const KEEPING: ReadonlySet<string> = new Set([
  'take',
  'takeProtected',
  'keepTexts',
  // The thread keeps it too, because it may contain every file: the caller gets it and passes it back as a number.
  'difference',
] satisfies (keyof Snapshotter)[])

interface Folder {
  readonly snapshotter: Snapshotter
  readonly kept: Map<number, object>
}

/** Returns the jobs of a thread that takes snapshots. */
export function snapshotJobs(): readonly Worked[] {
  const folders = new Map<string, Folder>()
  let last = 0
  const folderOf = ({ directory, exclude, isContained, knowsAgents }: SnapshotCall): Folder => {
    const known = folders.get(directory)
    if (known !== undefined) return known
    const contain = isContained ? { contain: containByHost(directory) } : {}
    const isAgents = (changedMs: number) => askHost(DURING_AGENTS, { directory, changedMs })
    const folder = {
      snapshotter: createSnapshotter({
        log: threadLog,
        exclude,
        ...contain,
        ...(knowsAgents && { isAgents }),
      }),
      kept: new Map(),
    }
    folders.set(directory, folder)
    return folder
  }
  const reportAll = (): void => {
    let count = 0
    for (const { kept } of folders.values()) count += kept.size
    reportKept(count)
  }
  return [
    worked(SNAPSHOT, async (call) => {
      const { snapshotter, kept } = folderOf(call)
      const args = call.args.map((arg) => {
        if (!isKept(arg)) return arg
        const own = kept.get(arg.kept)
        if (own === undefined) throw new Error('The thread that took the snapshot has ended.')
        return own
      })
      // Safe: the other side is typed by the same port and passes its own arguments.
      const method = snapshotter[call.method] as (...given: unknown[]) => Promise<unknown>
      const answer = await method(...args)
      if (!KEEPING.has(call.method)) return answer
      last += 1
      kept.set(last, answer as object)
      reportAll()
      if (call.method === 'difference')
        return { kept: last, difference: answer as FileDifference } satisfies Kept
      const kind = call.method === 'take' ? (answer as { kind: 'git' | 'walk' }).kind : undefined
      return { kept: last, ...(kind !== undefined && { kind }) } satisfies Kept
    }),
    worked(SNAPSHOTS_DONE, async (directory) => {
      const folder = folders.get(directory)
      folder?.kept.clear()
      await folder?.snapshotter.done()
      reportAll()
    }),
  ]
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'kept' in value && typeof value.kept === 'number'
}
