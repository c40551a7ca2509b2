import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readStored, replaceFile } from '../files/bounded-file.ts'
import type { UndoableChanges } from '../ports/attempt-undo.ts'

const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024

const savedSchema = z.discriminatedUnion('kind', [
  z.object({ path: z.string(), kind: z.literal('absent') }),
  z.object({ path: z.string(), kind: z.literal('led-out') }),
  z.object({ path: z.string(), kind: z.literal('file'), hash: z.string(), isExecutable: z.boolean() }),
  z.object({ path: z.string(), kind: z.literal('link'), target: z.string() }),
  z.object({ path: z.string(), kind: z.literal('lost'), reason: z.string() }),
])
const documentSchema = z.object({
  $schema: z.literal('pulseward.undo.v1'),
  attemptIds: z.array(z.string()),
  keptAtMs: z.number(),
  before: z.array(savedSchema),
  after: z.array(savedSchema),
  /** Files left by earlier attempts that are not in the baseline. */
  left: z.array(z.object({ path: z.string(), attemptId: z.string() })),
  /** Paths that were restored and have not been redone since. */
  undone: z.array(z.string()).nullable(),
})
/** What an attempt changed, before and after; stored next to the attempt's log. */
export type UndoDocument = z.infer<typeof documentSchema>

/** Returns `null` if there is no document, or it can't be used. */
export async function readUndo(attemptsDirectory: string, attemptId: string): Promise<UndoDocument | null> {
  return await readStored(documentSchema, place(attemptsDirectory, attemptId), MAX_DOCUMENT_BYTES)
}

export async function writeUndo(attemptsDirectory: string, document: UndoDocument): Promise<void> {
  await mkdir(attemptsDirectory, { recursive: true, mode: 0o700 })
  // Not durable, like the contents that it refers to: after a power cut the newest may be lost, which is reported.
  for (const attemptId of document.attemptIds)
    await replaceFile(place(attemptsDirectory, attemptId), JSON.stringify(document), 0o600, {
      isDurable: false,
    })
}

function place(attemptsDirectory: string, attemptId: string): string {
  return join(attemptsDirectory, `${attemptId}.undo`)
}

/** Returns whether the attempt was undone; a restore that restored nothing does not count. */
export function isUndone({ undone }: UndoDocument): boolean {
  return undone !== null && undone.length > 0
}

export function viewOf(document: UndoDocument): UndoableChanges {
  const { attemptIds, before } = document
  return {
    attemptIds,
    files: before.filter(({ kind }) => kind !== 'lost').map(({ path }) => path),
    lost: before.flatMap((saved) =>
      saved.kind === 'lost' ? [{ path: saved.path, reason: saved.reason }] : [],
    ),
    isUndone: isUndone(document),
  }
}
