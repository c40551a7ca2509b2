import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { exists, syncDirectory, writeFileAtomically } from '../files/durable-file.ts'
import { segmentPath } from './segments.ts'

/**
 * Compresses a segment that will not grow any more. May be interrupted at any moment and called again: the plain file is deleted
 * only after the compressed one was read back and found equal; one that differs is replaced. Rejects on file errors; then the
 * plain file remains.
 */
export async function compressSegment(ledgerDirectory: string, firstSeq: number): Promise<void> {
  const plain = segmentPath(ledgerDirectory, firstSeq)
  const packed = `${plain}.gz`
  const hash = await hashOf(createReadStream(plain))
  if (!(await exists(packed)) || (await packedHash(packed)) !== hash) {
    await pack(plain, packed)
    if ((await packedHash(packed)) !== hash) throw new Error(`${packed} does not read back as it was written`)
  }
  await rm(plain)
  await syncDirectory(ledgerDirectory)
}

async function pack(plain: string, packed: string): Promise<void> {
  const gzip = createGzip()
  const reading = pipeline(createReadStream(plain), gzip)
  const [written, read] = await Promise.allSettled([
    writeFileAtomically(packed, gzip).finally(() => gzip.destroy()),
    reading,
  ])
  // When the writer fails, the reader only sees the abort; a reader's error reaches the writer unchanged.
  if (written.status === 'rejected') throw written.reason
  if (read.status === 'rejected') throw read.reason
}

/** Returns the hash of the compressed file's content; null if it cannot be decompressed. */
async function packedHash(packed: string): Promise<string | null> {
  const gunzip = createGunzip()
  const [hash] = await Promise.all([
    hashOf(gunzip).catch(() => null),
    pipeline(createReadStream(packed), gunzip).catch(() => undefined),
  ])
  return hash
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}
