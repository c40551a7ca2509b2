import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import {
  contentBucket,
  HOSTS_STREAM,
  LEASE_BUCKET,
  ledgerStream,
  ledgerSubject,
} from '../../core/fleet/names.ts'

/** The longest possible line with its headers. */
const MAX_MESSAGE_BYTES = 1024 * 1024 + 4096
const DAY_NS = 24 * 60 * 60 * 1e9
/** Prompts, output and differences of agents are deleted after this many days. */
export const CONTENT_DAYS = 30
/** Limit per host, so that none fills the hub. */
const CONTENT_BYTES = 2 * 1024 * 1024 * 1024

type Config = Partial<StreamConfig> & { readonly name: string; readonly compression?: string }

/** Creates the streams that the fleet shares. */
export async function ensureSharedStreams(manager: JetStreamManager): Promise<void> {
  await ensure(manager, {
    name: HOSTS_STREAM,
    subjects: ['pw.host.*', 'pw.facts.*.*'],
    // Only the last message on each subject counts.
    max_msgs_per_subject: 1,
    max_msg_size: 64 * 1024,
    discard: DiscardPolicy.Old,
    allow_direct: true,
  })
  await ensure(manager, {
    name: `KV_${LEASE_BUCKET}`,
    subjects: [`$KV.${LEASE_BUCKET}.>`],
    max_msgs_per_subject: 1,
    max_msg_size: 4096,
    deny_delete: true,
    allow_rollup_hdrs: false,
    discard: DiscardPolicy.New,
    allow_direct: true,
  })
}

/** Creates the stream of one host's records, from which nothing can be removed. */
export async function ensureLedgerStream(manager: JetStreamManager, host: string): Promise<void> {
  await ensure(manager, {
    name: ledgerStream(host),
    subjects: [ledgerSubject(host, '*')],
    max_msg_size: MAX_MESSAGE_BYTES,
    // Refuses new messages rather than dropping old ones.
    discard: DiscardPolicy.New,
    deny_delete: true,
    deny_purge: true,
    allow_direct: true,
    compression: 's2',
  })
}

/** Creates the bucket for a host's other content. Fails if the server has too little room; records don't depend on it. */
export async function ensureContentBucket(manager: JetStreamManager, host: string): Promise<void> {
  const bucket = contentBucket(host)
  await ensure(manager, {
    name: `OBJ_${bucket}`,
    subjects: [`$O.${bucket}.C.>`, `$O.${bucket}.M.>`],
    max_age: CONTENT_DAYS * DAY_NS,
    max_bytes: CONTENT_BYTES,
    discard: DiscardPolicy.New,
    allow_rollup_hdrs: true,
    allow_direct: true,
  })
}

/** Creates a stream if it is missing. Leaves an existing one unchanged: what it forbids cannot be allowed later. */
async function ensure(manager: JetStreamManager, { compression, ...config }: Config): Promise<void> {
  if (await hasStream(manager, config.name)) return
  const { nc } = manager as unknown as { nc?: { info?: { version?: string } } }
  const hasCompression = compression !== undefined && isAtLeast(nc?.info?.version, 2, 10)
  await manager.streams.add({
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: 1,
    ...config,
    // Version 2.9 does not support it.
    ...(hasCompression && { compression: compression as StreamConfig['compression'] }),
  })
}

const STREAM_NOT_FOUND = 10_059

export async function hasStream(manager: JetStreamManager, name: string): Promise<boolean> {
  try {
    await manager.streams.info(name)
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return false
    throw error
  }
}

function isAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const [has = 0, hasMinor = 0] = (version ?? '').split('.').map(Number)
  return has > major || (has === major && hasMinor >= minor)
}
