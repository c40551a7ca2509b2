import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { WorkspaceState } from '../../core/record/state.ts'
import { createDirectory, setAside, writeFileAtomically } from '../files/durable-file.ts'
import { errorCode, isOfTheMoment } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { type Document, documents } from './document-list.ts'
import { latestWriter } from './latest-writer.ts'

/** The documents of one workspace: views of the state for people and other tools, never read as truth. */
export interface Documents {
  /** Schedules a write of `state`; of several states in a row only the newest is sure to be written. */
  update(state: WorkspaceState): void
  /** Resolves when the newest state has been written. Never rejects: a failure is logged, and the next update tries again. */
  flush(): Promise<void>
}

/** Far above any document: a larger file is not one, and is not loaded into memory. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024

/**
 * Opens the documents of the workspace in `directory` and writes them from `state`, including deleted ones. First sets an
 * unreadable one aside as `NAME.corrupt-<time>`. Never rejects: documents are only copies.
 */
export async function openDocuments(options: {
  readonly directory: string
  readonly state: WorkspaceState
  readonly nowMs: number
  readonly log: Log
}): Promise<Documents> {
  const { directory, nowMs, log } = options
  const onDisk = new Map<string, string | null>()
  /** Size and time of each document as we left it; a difference means that someone else wrote it. */
  const left = new Map<string, string>()
  for (const document of documents) {
    const path = join(directory, document.name)
    onDisk.set(document.name, await readOrSetAside(path, document, nowMs, log))
    left.set(document.name, await markOf(path))
  }
  const written = new Map<string, readonly unknown[]>()
  const write = async (document: Document, state: WorkspaceState) => {
    const { name, parts, text, isWitness = false } = document
    const shown = parts(state)
    if (written.get(name)?.every((part, index) => part === shown[index])) return
    const shouldRead = text(state)
    // Don't rewrite a file that is already up to date.
    if (onDisk.get(name) !== shouldRead) {
      const path = join(directory, name)
      if (left.get(name) !== (await markOf(path)))
        await readOrSetAside(path, document, Date.parse(state.at ?? '') || nowMs, log)
      await createDirectory(dirname(path))
      // The others are rewritten after a power cut, so don't wait for the disk.
      await writeFileAtomically(path, shouldRead, { isDurable: isWitness })
    }
    left.set(name, await markOf(join(directory, name)))
    onDisk.delete(name)
    written.set(name, shown)
  }
  const writer = latestWriter(
    async (state: WorkspaceState) => {
      // Tries each document, and waits for all of them before writing the next state.
      const ends = await Promise.allSettled(documents.map((document) => write(document, state)))
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
    (error) =>
      log.warn('Documents could not be written; the ledger has everything', { error: String(error) }),
  )
  const update = (state: WorkspaceState): void => {
    // Before the first event there is no day to keep a score for.
    if (state.seq > 0) writer.offer(state)
  }
  update(options.state)
  return { update, flush: writer.flush }
}

/** Returns what is wrong with the documents of the workspace in `directory`. Changes nothing and never rejects. */
export async function documentProblems(
  directory: string,
): Promise<readonly { readonly path: string; readonly problem: string }[]> {
  const problems: { readonly path: string; readonly problem: string }[] = []
  for (const document of documents) {
    const path = join(directory, document.name)
    const { problem } = await readDocument(path, document)
    if (problem !== null) problems.push({ path, problem })
  }
  return problems
}

async function markOf(path: string): Promise<string> {
  return stat(path).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => 'gone',
  )
}

/** Returns the text of a readable document; `null` if there is none, or it was set aside. */
async function readOrSetAside(
  path: string,
  document: Document,
  nowMs: number,
  log: Log,
): Promise<string | null> {
  const found = await readDocument(path, document)
  if (found.problem === null) return found.text
  const reason = found.problem
  const aside = await setAside(path, nowMs)
  if (aside === null) log.warn('An unreadable document could not be set aside', { path, reason })
  else
    log.warn('An unreadable document was set aside and is written again from the ledger', {
      path,
      aside,
      reason,
    })
  return null
}

async function readDocument(
  path: string,
  document: Document,
): Promise<{ readonly text: string | null; readonly problem: string | null }> {
  try {
    const { size } = await stat(path)
    if (size > MAX_DOCUMENT_BYTES) return { text: null, problem: `${size} bytes long` }
    const text = await readFile(path, 'utf8')
    return { text, problem: document.problem(text) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || isOfTheMoment(error)) return { text: null, problem: null }
    return { text: null, problem: error instanceof Error ? error.message : String(error) }
  }
}
