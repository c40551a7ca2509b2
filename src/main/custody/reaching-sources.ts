import { join } from 'node:path'
import { z } from 'zod'
import { LEADS_AWAY, reachesFor, UNREAD } from '../../core/custody/reaching.ts'
import { readWithinSync } from '../files/beneath.ts'
import { readStored } from '../files/bounded-file.ts'
import { lstatAt } from '../files/stats-at.ts'
import type { ReachingSource } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import { keepFile } from './keep-file.ts'

/** A source that an attempt changed so that it manipulates its test runner. */
const notedSchema = z.object({
  /** Path from the workspace, with `/`. */
  path: z.string(),
  words: z.array(z.string()),
  attemptId: z.string(),
  /** The answer with which the operator accepted it; `null`: not yet. */
  acceptedBy: z.string().nullable(),
})
type Noted = Readonly<z.infer<typeof notedSchema>>

const MAX_NOTED = 500
const MAX_BYTES = 1024 * 1024
/** A longer source is data, or was generated. */
const MAX_SOURCE_BYTES = 1024 * 1024

/**
 * Sources that manipulate their test runner since an agent changed them, remembered across heartbeats and restarts until the operator
 * accepts them.
 */
export interface ReachingSources {
  note(attemptId: string, found: readonly Omit<ReachingSource, 'attemptId'>[]): Promise<void>
  /** Returns those that still do so and wait for an answer. */
  waiting(): Promise<readonly ReachingSource[]>
  accept(answerId: string, attemptIds: readonly string[]): Promise<void>
  undo(answerId: string): Promise<void>
  /** Forgets sources that a task may change. */
  forget(paths: readonly string[]): Promise<void>
}

/** Keeps the record on disk in `directory`; `workspace` is the folder of the sources. An unreadable file counts as empty. */
export function createReachingSources(
  directory: string,
  workspace: string,
  log: Pick<Log, 'warn'>,
): ReachingSources {
  const path = join(directory, 'reaching.json')
  let memory: readonly Noted[] | null = null

  async function load(): Promise<readonly Noted[]> {
    memory ??= (await readStored(z.array(notedSchema), path, MAX_BYTES)) ?? []
    return memory
  }
  async function save(noted: readonly Noted[]): Promise<void> {
    memory = noted.slice(-MAX_NOTED)
    await keepFile(path, JSON.stringify(memory), log)
  }
  async function change(of: (one: Noted) => Noted | null): Promise<void> {
    const before = await load()
    const after = before.flatMap((one) => of(one) ?? [])
    if (after.length !== before.length || after.some((one, at) => one !== before[at])) await save(after)
  }

  return {
    note: async (attemptId, found) => {
      if (found.length === 0) return
      const before = await load()
      const added = found.map(({ path: file, words }): Noted => {
        const known = before.find((one) => one.path === file && one.acceptedBy === null)
        return {
          path: file,
          words: [...new Set([...(known?.words ?? []), ...words])],
          attemptId,
          acceptedBy: null,
        }
      })
      const paths = new Set(added.map((one) => one.path))
      await save([...before.filter((one) => !paths.has(one.path)), ...added])
    },
    waiting: async () =>
      (await load()).flatMap(({ path: file, words, attemptId, acceptedBy }) => {
        if (acceptedBy !== null) return []
        const now = reachedNow(workspace, file)
        const left = words.filter((one) => now.includes(one))
        return left.length === 0 ? [] : [{ path: file, words: left, attemptId }]
      }),
    accept: (answerId, attemptIds) =>
      change((one) =>
        one.acceptedBy === null && attemptIds.includes(one.attemptId)
          ? { ...one, acceptedBy: answerId }
          : one,
      ),
    undo: (answerId) => change((one) => (one.acceptedBy === answerId ? { ...one, acceptedBy: null } : one)),
    forget: (paths) => change((one) => (paths.includes(one.path) ? null : one)),
  }
}

function reachedNow(workspace: string, file: string): readonly string[] {
  const stats = lstatAt(join(workspace, file))
  if (typeof stats === 'object' && stats.isSymbolicLink()) return [LEADS_AWAY]
  if (typeof stats !== 'object') return []
  // A recorded source counts, no matter what loads it now, and an unread one stays unknown until someone has looked at it.
  return [UNREAD, ...reachesFor(file, sourceText(workspace, file) ?? '', true)]
}

/** Returns `null` if the path is not a regular file, or the file is too large. */
function sourceText(workspace: string, file: string): string | null {
  return (
    readWithinSync(workspace, join(workspace, file), MAX_SOURCE_BYTES, { last: 'keep' })?.toString('utf8') ??
    null
  )
}
