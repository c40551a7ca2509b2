import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Receipt, receiptSchema } from '../../core/channels/receipt.ts'
import { readJson } from '../../core/text/json.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { PRIVATE_FILE } from '../files/durable-file.ts'
import { storageError } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'

const KEPT = 500
/** The file is rewritten when it has grown to this multiple of what is kept. */
const REWRITTEN_AFTER = 2 * KEPT
const MAXIMUM_BYTES = 4 * 1024 * 1024

/** The results of the last 500 attempts: `receipts.jsonl`. */
export interface ReceiptBook {
  /** Newest first. */
  readonly all: readonly Receipt[]
  add(receipt: Receipt): void
  /** Resolves once everything is written. */
  close(): Promise<void>
}

export async function openReceipts(dataDirectory: string, log: Log): Promise<ReceiptBook> {
  const path = join(dataDirectory, 'receipts.jsonl')
  let all = await readReceipts(path)
  let lines = all.length
  let writing: Promise<unknown> = Promise.resolve()
  const write = async (receipt: Receipt): Promise<void> => {
    if (lines < REWRITTEN_AFTER) {
      await appendFile(path, `${JSON.stringify(receipt)}\n`, { mode: PRIVATE_FILE })
      lines++
      return
    }
    await replaceFile(
      path,
      all
        .toReversed()
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
      PRIVATE_FILE,
    )
    lines = all.length
  }
  return {
    get all() {
      return all
    },
    add: (receipt) => {
      all = [receipt, ...all].slice(0, KEPT)
      writing = writing.then(() =>
        write(receipt).catch((error: unknown) => {
          // Part of the line may have been written: rewrite the file instead of appending.
          lines = REWRITTEN_AFTER
          log.warn('A receipt could not be written', {
            error: storageError('write', path, error).message,
          })
        }),
      )
    },
    close: async () => {
      await writing
    },
  }
}

async function readReceipts(path: string): Promise<readonly Receipt[]> {
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok) return []
  return reading.bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => readJson(receiptSchema, line) ?? [])
    .slice(-KEPT)
    .toReversed()
}
