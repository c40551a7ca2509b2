import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { WorkspaceState } from '../../core/record/state.ts'
import type { Log } from '../ports.ts'
import { freePath, writeFileAtomically } from './durable-file.ts'
import { latestWriter } from './latest-writer.ts'
import { errorCode, storageError } from './storage-error.ts'

/** The JSON documents of one workspace: views of the state for people and other tools, never read as truth. */
export interface Documents {
  /** Has the documents follow `state` soon; of several states in a row only the newest is sure to be written. */
  update(state: WorkspaceState): void
  /** Resolves when the newest state has been written. Never rejects: a failure is logged, and the next update tries again. */
  flush(): Promise<void>
}

interface Document {
  readonly name: string
  readonly content: (state: WorkspaceState) => unknown
  /** What its readers rely on: ArgentOS's fields. Ours may be missing in a document of an older version. */
  readonly schema: z.ZodType
}

const day = z.object({
  date: z.string(),
  score: z.number(),
  peakScore: z.number(),
  lowestScore: z.number(),
  verifiedCount: z.number(),
  failedCount: z.number(),
  targetReached: z.boolean(),
})

const documents: readonly Document[] = [
  {
    name: 'heartbeat-score.json',
    content: (state) => state.score,
    schema: z.object({
      today: day,
      history: z.array(day),
      lifetime: z.object({
        totalVerified: z.number(),
        totalFailed: z.number(),
        totalPoints: z.number(),
        bestDay: z.number(),
        worstDay: z.number(),
        currentStreak: z.number(),
        longestStreak: z.number(),
        daysTracked: z.number(),
        targetFloor: z.number(),
      }),
    }),
  },
  {
    name: 'heartbeat-progress.json',
    content: (state) => state.progress,
    schema: z.object({
      lastCycleAt: z.string().nullable(),
      cycleCount: z.number(),
      tasks: z.record(
        z.string(),
        z.object({
          taskId: z.string(),
          status: z.enum(['pending', 'verified', 'failed', 'skipped']),
          attempts: z.number(),
          lastAttemptAt: z.string().nullable(),
          lastResult: z.string().nullable(),
        }),
      ),
    }),
  },
]

/** Far above any document: a larger file is not one, and is not read into memory. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/**
 * Opens the documents of the workspace in `directory` and writes them from `state`, deleted ones included. One that cannot
 * be read is first set aside as `NAME.corrupt-<time>`; `time` must fit a file name. Never rejects: a document is a copy.
 */
export async function openDocuments(options: {
  readonly directory: string
  readonly state: WorkspaceState
  readonly time: string
  readonly log: Log
}): Promise<Documents> {
  const { directory, time, log } = options
  for (const document of documents)
    await setAsideUnreadable(join(directory, document.name), document, time, log)
  const written = new Map<string, unknown>()
  const writer = latestWriter(
    async (state: WorkspaceState) => {
      for (const { name, content } of documents) {
        const value = content(state)
        if (written.get(name) === value) continue
        await writeFileAtomically(join(directory, name), `${JSON.stringify(value, null, 2)}\n`)
        written.set(name, value)
      }
    },
    (error) => log.warn('Documents could not be written; the ledger has it all', { error: String(error) }),
  )
  const update = (state: WorkspaceState): void => {
    // Before the first event there is no day yet to keep a score of.
    if (state.seq > 0) writer.offer(state)
  }
  update(options.state)
  return { update, flush: writer.flush }
}

async function setAsideUnreadable(path: string, document: Document, time: string, log: Log): Promise<void> {
  const reason = await whyUnreadable(path, document.schema)
  if (reason === null) return
  try {
    const aside = await freePath(`${path}.corrupt-${time}`)
    await rename(path, aside)
    log.warn('An unreadable document was set aside and is made anew from the ledger', { path, aside, reason })
  } catch (error) {
    log.warn('An unreadable document could not be set aside', {
      path,
      reason,
      error: storageError('rename', path, error).message,
    })
  }
}

async function whyUnreadable(path: string, schema: z.ZodType): Promise<string | null> {
  try {
    const { size } = await stat(path)
    if (size > MAX_DOCUMENT_BYTES) return `${size} bytes long`
    const parsed = schema.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? null : z.prettifyError(parsed.error)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    return error instanceof Error ? error.message : String(error)
  }
}
