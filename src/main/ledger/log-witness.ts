import { open } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import type { WorkspaceState } from '../../core/record/state.ts'
import { readJson } from '../../core/text/json.ts'

/*
 * What is recorded is also logged once it is on disk: the number, and a verdict with its points. If there is no seal, a log is a witness
 * when it knows more than the record, or different points for an attempt. Such a line is marked by its field `record`; its text is for
 * people and is not read here.
 */

const WITNESSED = ['event', 'verdict', 'ended', 'accepted', 'restored'] as const

/** Fields of a log line about a recorded event. */
export const RECORDED = { record: 'event' } as const
/** Fields of a log line about an event that gives an attempt's points. */
export const VERDICT = { record: 'verdict' } as const
/** Fields of lines that invalidate earlier lines about a workspace; a backup's line invalidates those about all. */
export const SUPERVISION_ENDED = { record: 'ended' } as const
export const RECORD_ACCEPTED = { record: 'accepted' } as const
export const BACKUP_RESTORED = { record: 'restored' } as const

const NEWLINE = 0x0a
/** More than a log and its rotated predecessor can have. */
const MAX_BYTES = 6 * 1024 * 1024
/** More than anyone would read. */
const MAX_TOLD = 3

const lineSchema = z.object({
  record: z.enum(WITNESSED),
  time: z.string().optional(),
  workspace: z.string().optional(),
  seq: z.int().optional(),
  attemptId: z.string().optional(),
  points: z.number().optional(),
})

/**
 * Returns what the log of the data folder that contains `directory` (`…/workspaces/<id>`) knows differently from the record, one
 * sentence each; empty without a log. Never rejects.
 */
export async function heldAgainstLog(
  directory: string,
  state: WorkspaceState,
  events: number,
): Promise<readonly string[]> {
  const place = resolve(directory)
  const log = join(place, '..', '..', 'pulseward.log')
  let last: { readonly seq: number; readonly time: string } | null = null
  const verdicts = new Map<string, number>()
  for (const text of [await readEnd(`${log}.1`), await readEnd(log)]) {
    for (const line of linesWith(text, [basename(place), fieldOf(BACKUP_RESTORED)])) {
      const parsed = parse(line)
      if (parsed === null) continue
      const isOurs = parsed.workspace === basename(place)
      if (parsed.record === 'restored' || (isOurs && ['ended', 'accepted'].includes(parsed.record))) {
        last = null
        verdicts.clear()
      } else if (isOurs && parsed.seq !== undefined) {
        last = { seq: parsed.seq, time: parsed.time ?? 'an unknown time' }
        const { attemptId, points } = parsed
        if (parsed.record === 'verdict' && attemptId !== undefined && points !== undefined)
          verdicts.set(attemptId, points)
      }
    }
  }
  const ahead =
    last !== null && last.seq > events
      ? [`pulseward.log knows event ${last.seq} (${last.time}), but the ledger ends at ${events}`]
      : []
  return [...ahead, ...otherPoints(verdicts, state)]
}

/** Covers attempts that the operator has not judged. */
function otherPoints(verdicts: ReadonlyMap<string, number>, { attempts }: WorkspaceState): readonly string[] {
  return attempts
    .filter(
      ({ verdict, review, overruled, undone }) =>
        verdict !== null && review === null && overruled === null && undone === undefined,
    )
    .filter(({ attemptId, points }) => (verdicts.get(attemptId) ?? points) !== points)
    .slice(0, MAX_TOLD)
    .map(
      ({ attemptId, points }) =>
        `pulseward.log says that attempt ${attemptId} was given ${verdicts.get(attemptId)} points, but the ledger says ${points}`,
    )
}

function parse(line: string): z.infer<typeof lineSchema> | null {
  // Most lines are not worth parsing.
  return line.includes('"record":"') ? readJson(lineSchema, line) : null
}

/** Returns the field as it is written in a line. */
function fieldOf({ record }: { readonly record: string }): string {
  return `"record":${JSON.stringify(record)}`
}

/** Returns matching lines in order. In a long log hardly any line is about one workspace of a thousand, so the others are not decoded. */
function linesWith(log: Buffer, words: readonly string[]): readonly string[] {
  const found = new Map<number, string>()
  for (const word of words) {
    for (let at = log.indexOf(word); at >= 0; ) {
      const newline = log.indexOf(NEWLINE, at)
      const end = newline < 0 ? log.length : newline
      const start = log.lastIndexOf(NEWLINE, at) + 1
      found.set(start, log.toString('utf8', start, end))
      at = log.indexOf(word, end)
    }
  }
  return [...found].sort(([left], [right]) => left - right).map(([, line]) => line)
}

async function readEnd(path: string): Promise<Buffer> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const length = Math.min(size, MAX_BYTES)
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return Buffer.alloc(0)
  }
}
