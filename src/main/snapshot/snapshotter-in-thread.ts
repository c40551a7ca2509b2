import { toldBy } from '../../core/custody/protected.ts'
import type { FileDifference } from '../../core/verification/types.ts'
import type { CommittedFile } from '../ports/attempt-undo.ts'
import type { Contain } from '../ports/containment.ts'
import type { EarlierFiles } from '../ports/custody.ts'
import type { KeptTexts, ProtectedFiles, Snapshot, Snapshotter, TreeState } from '../ports/snapshotter.ts'
import type { Threads } from '../process/threads.ts'
import {
  CONTAINED_START,
  DURING_AGENTS,
  type Kept,
  SNAPSHOT,
  SNAPSHOTS_DONE,
  type SnapshotCall,
} from './snapshot-jobs.ts'

interface InThreadOptions {
  readonly directory: string
  readonly exclude: readonly string[]
  /** Git's sandbox; if omitted, there is none. */
  readonly contain?: Contain
  /** Whether an agent was running at a moment (epoch ms). */
  readonly isAgents?: (changedMs: number) => Promise<boolean>
}

type Answers = Pick<InThreadOptions, 'contain' | 'isAgents'>

/** Who answers a folder's questions, by thread and folder. */
const answering = new WeakMap<Threads, Map<string, Answers>>()

function answerFor(threads: Threads, directory: string, answers: Answers): void {
  const known = answering.get(threads) ?? new Map<string, Answers>()
  known.set(directory, answers)
  if (answering.has(threads)) return
  answering.set(threads, known)
  threads.answer(
    DURING_AGENTS,
    async ({ directory: asked, changedMs }) => (await known.get(asked)?.isAgents?.(changedMs)) ?? false,
  )
  threads.answer(CONTAINED_START, async ({ directory: asked, role, needs, start }) => {
    const answer = (await known.get(asked)?.contain?.(role, needs)) ?? { kind: 'open' as const }
    // The function that protects a process from an agent cannot be sent to a thread, and git does not need it.
    if (answer.kind === 'open') return { kind: 'open' as const }
    if (answer.kind === 'refused') return answer
    const { means } = answer.containment
    return {
      kind: 'contained' as const,
      means,
      start: start === null ? null : await answer.containment.wrap(start),
    }
  })
}

/** Creates a folder's snapshotter that works in a thread. Also rejects if the thread has ended in the meantime. */
export function createSnapshotterInThread(
  threads: Threads,
  { directory: own, exclude, contain, isAgents }: InThreadOptions,
): Snapshotter {
  const isContained = contain !== undefined
  const knowsAgents = isAgents !== undefined
  answerFor(threads, own, { contain, isAgents })
  const differences = new WeakMap<FileDifference, Kept>()
  const call = async <Answer>(method: SnapshotCall['method'], ...args: unknown[]): Promise<Answer> => {
    const given = args.map((arg) => differences.get(arg as FileDifference) ?? arg)
    return (await threads.run(
      SNAPSHOT,
      { directory: own, exclude, isContained, knowsAgents, method, args: given },
      own,
    )) as Answer
  }
  // Objects that the thread keeps are numbers here, whatever the port calls them.
  return {
    expectLook: (directory) => call<void>('expectLook', directory).catch(() => undefined),
    take: (directory, patterns = [], asked = []) => call<Snapshot & Kept>('take', directory, patterns, asked),
    difference: async (before, after) => {
      const { kept, difference } = await call<Required<Kept>>('difference', before, after)
      differences.set(difference, { kept })
      return difference
    },
    takeProtected: async (snapshot, patterns) => {
      const { kept } = await call<Kept>('takeProtected', snapshot, patterns)
      return { kept, isProtected: toldBy(patterns) } as ProtectedFiles & Kept
    },
    protectedChanges: (before, difference) => call('protectedChanges', keptOf(before), difference),
    keepTexts: async (snapshot) =>
      ({ ...(await call<Kept>('keepTexts', snapshot)), snapshot }) as KeptTexts & Kept,
    patch: (before, difference, maxBytes) => call('patch', keptOf(before), difference, maxBytes),
    filesBefore: async (before, difference) => {
      const files = await call<EarlierFiles | null>('filesBefore', keptOf(before), difference)
      return files === null
        ? null
        : { ...files, write: files.write.map((file) => ({ ...file, bytes: asBuffer(file.bytes) })) }
    },
    unsaved: (snapshot) => call('unsaved', snapshot),
    committed: async (snapshot, difference) => {
      const files = await call<ReadonlyMap<string, CommittedFile>>('committed', snapshot, difference)
      return new Map([...files].map(([path, file]) => [path, { ...file, bytes: asBuffer(file.bytes) }]))
    },
    uncommitted: (snapshot) => call('uncommitted', snapshot),
    unchanged: (snapshot) => call('unchanged', snapshot),
    measurable: (directory, paths, difference) => call('measurable', directory, paths, difference),
    endingIn: (snapshot, ends) => call('endingIn', snapshot, ends),
    treeNow: (directory, hasRun) => call<TreeState | null>('treeNow', directory, hasRun).catch(() => null),
    // A thread that has ended keeps nothing.
    done: () => threads.run(SNAPSHOTS_DONE, own, own).catch(() => undefined),
  }
}

/** Functions cannot be sent to a thread. */
function keptOf(value: object): Kept {
  return { kept: (value as Kept).kept }
}

/** A buffer arrives from the thread as plain bytes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
