import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { type JetStreamManager, jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection, nuid } from '@nats-io/transport-node'
import { z } from 'zod'
import { type AttemptContent, attemptContentSchema, MAX_CONTENT_BYTES } from '../../core/fleet/content.ts'
import { contentBucket } from '../../core/fleet/names.ts'
import { hasStream } from './streams.ts'

/*
 * NATS objects as every client stores them: an object's bytes in chunks on `$O.BUCKET.C.ID`, and one message that names it on
 * `$O.BUCKET.M.NAME`, the last of each name. Implemented here because a NATS client's implementation trusts what a host writes:
 * links into other hosts' buckets, unbounded sizes.
 */

const CHUNK_BYTES = 128 * 1024
const MAX_CHUNKS = Math.ceil(MAX_CONTENT_BYTES / CHUNK_BYTES) + 1
const PATIENCE_MS = 10_000
const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

const metaSchema = z.object({
  nuid: z.string().regex(/^[A-Za-z0-9]{22}$/),
  size: z.int().min(0).max(MAX_CONTENT_BYTES),
  chunks: z.int().min(0).max(MAX_CHUNKS),
  digest: z.string().max(100),
})

const streamOf = (host: string): string => `OBJ_${contentBucket(host)}`
const chunkSubject = (host: string, id: string): string => `$O.${contentBucket(host)}.C.${id}`
/** Padded, as other clients write it. */
const metaSubject = (host: string, name: string): string =>
  `$O.${contentBucket(host)}.M.${padded(Buffer.from(name).toString('base64url'))}`

/**
 * Stores content in the host's own bucket, replacing any content with this name. Sends one chunk at a time, so nothing else has
 * to wait.
 */
export async function putContent(
  connection: NatsConnection,
  host: string,
  name: string,
  content: AttemptContent,
): Promise<void> {
  const bytes = await pack(JSON.stringify(content), { level: 1 })
  const client = jetstream(connection, { timeout: PATIENCE_MS })
  const expect = { streamName: streamOf(host) }
  const id = nuid.next()
  let chunks = 0
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES, chunks += 1)
    await client.publish(chunkSubject(host, id), bytes.subarray(from, from + CHUNK_BYTES), {
      expect,
      timeout: PATIENCE_MS,
    })
  const given = headers()
  given.set('Nats-Rollup', 'sub')
  const meta = {
    name,
    bucket: contentBucket(host),
    nuid: id,
    size: bytes.length,
    chunks,
    digest: digestOf(bytes),
    mtime: new Date().toISOString(),
    options: { max_chunk_size: CHUNK_BYTES },
  }
  const subject = metaSubject(host, name)
  await client.publish(subject, JSON.stringify(meta), { headers: given, expect, timeout: PATIENCE_MS })
}

const NOT_AS_SAID = "The host's stored content does not match its description."

/**
 * Returns what a host stored under this name, and when it was stored; `null`: nothing, or it has expired. Rejects if it is not valid
 * content.
 */
export async function getContent(
  manager: JetStreamManager,
  host: string,
  name: string,
): Promise<{ readonly content: AttemptContent; readonly sentAt: string } | null> {
  const stream = streamOf(host)
  // A server may not answer a request for a stream that doesn't exist.
  if (!(await hasStream(manager, stream))) return null
  const { direct } = manager
  const told = await direct.getMessage(stream, { last_by_subj: metaSubject(host, name) })
  if (told === null) return null
  const meta = metaSchema.safeParse(told.json())
  if (!meta.success) throw new Error("The host's stored object is not the content of an attempt.")
  const { nuid: id, size, chunks, digest } = meta.data
  const parts: Uint8Array[] = []
  let seq = 1
  let got = 0
  for (let each = 0; each < chunks; each += 1) {
    const part = await direct.getMessage(stream, { seq, next_by_subj: chunkSubject(host, id) })
    // A chunk that was stored slightly earlier also expires slightly earlier.
    if (part === null) return null
    got += part.data.length
    if (got > size) throw new Error(NOT_AS_SAID)
    parts.push(part.data)
    seq = part.seq + 1
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length !== size || digestOf(bytes) !== digest) throw new Error(NOT_AS_SAID)
  const text = (await unpack(bytes, { maxOutputLength: MAX_CONTENT_BYTES })).toString('utf8')
  return { content: attemptContentSchema.parse(JSON.parse(text)), sentAt: told.time.toISOString() }
}

function digestOf(bytes: Uint8Array): string {
  return `SHA-256=${padded(createHash('sha256').update(bytes).digest('base64url'))}`
}

function padded(text: string): string {
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}
