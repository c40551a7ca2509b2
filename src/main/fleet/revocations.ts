import { readFile } from 'node:fs/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { CENTRE_NAME, revocationsEnvelopeSchema, revocationsSchema } from '../../core/fleet/ask.ts'
import { askSubject } from '../../core/fleet/names.ts'
import { readJson } from '../../core/text/json.ts'
import { setAside, writeFileAtomically } from '../files/durable-file.ts'
import { errorCode } from '../files/storage-error.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'
import { connectHub } from './connect-hub.ts'
import { readAuthority } from './hub-authority.ts'
import { readHub } from './hub-document.ts'
import { isNoResponder } from './hub-stream.ts'
import { readCentreFile } from './pass-file.ts'
import { isSignedBy, sign } from './sign.ts'
import { whileReloading } from './while-reloading.ts'

/*
 * The hub refuses a revoked pass and ends its connection. Hosts refuse it too, based on a list signed by the hub's authority: even if the
 * server was not told, or admits someone it should not, nothing is done in that name. The list only grows, so replaying an old list
 * un-revokes nothing.
 */

const MAX_BYTES = 512 * 1024
const ANSWER_MS = 10_000

/** Returns the signed list of revoked passes for hosts; `null`: there are none. Rejects with a `RequestProblem`. */
export async function revocationsOf(hubDirectory: string): Promise<string | null> {
  const { keys } = await readHub(hubDirectory)
  const revoked = keys.flatMap(({ signing, revokedAt }) =>
    signing === null || revokedAt === null ? [] : [signing],
  )
  if (revoked.length === 0) return null
  const { seed } = await readAuthority(hubDirectory)
  return JSON.stringify({ revoked: sign(seed, 'revocations', JSON.stringify({ v: 1, keys: revoked })) })
}

/** Tells every connected host and returns how many have confirmed it; the others are told when they connect. Never rejects. */
export async function tellHosts(hubDirectory: string): Promise<number> {
  let connection: NatsConnection | null = null
  try {
    const text = await revocationsOf(hubDirectory)
    if (text === null) return 0
    const open = await connectHub(await readCentreFile(hubDirectory))
    connection = open
    const { keys } = await readHub(hubDirectory)
    const hosts = keys.filter(({ role, revokedAt }) => role === 'host' && revokedAt === null)
    const told = await Promise.allSettled(
      hosts.map(({ name }) => {
        const request = () => open.request(askSubject(name, CENTRE_NAME), text, { timeout: ANSWER_MS })
        // The server is just loading the change, and briefly loses its hosts.
        return whileReloading(request, isNoResponder)
      }),
    )
    return told.filter((one) => one.status === 'fulfilled' && one.value.string() === TAKEN).length
  } catch {
    // The hub can't be reached from here; its center tells the hosts.
    return 0
  } finally {
    await connection?.close()
  }
}

const TAKEN = 'ok'

export interface RevocationsOptions {
  readonly clock: Clock
  readonly log: Log
  /** The file in which a host stores the list, so that it also applies while the hub is unavailable. */
  readonly path: string
}

/** A host's list of revoked passes. */
export class Revocations {
  readonly #options: RevocationsOptions
  readonly #serialize = createSerializer()
  /** `null`: not loaded yet. */
  #keys: ReadonlySet<string> | null = null

  constructor(options: RevocationsOptions) {
    this.#options = options
  }

  has(key: string): Promise<boolean> {
    return this.#serialize(async () => (await this.#known()).has(key))
  }

  /** Adds what the authority has signed and returns `TAKEN`, or why nothing was added. */
  take(data: Uint8Array, authority: string | null): Promise<string> {
    return this.#serialize(async () => {
      const given = signedKeys(data, authority)
      if (given === null) return "It is not signed by this hub's authority."
      const known = await this.#known()
      const keys = new Set([...known, ...given])
      if (keys.size === known.size) return TAKEN
      await writeFileAtomically(this.#options.path, `${JSON.stringify({ v: 1, keys: [...keys] })}\n`)
      this.#keys = keys
      this.#options.log.info('Operator passes were revoked', { count: keys.size })
      return TAKEN
    })
  }

  async #known(): Promise<ReadonlySet<string>> {
    this.#keys ??= await this.#read()
    return this.#keys
  }

  /** Reads the list. Sets an unreadable file aside, because the hub sends the list again at the next connection. */
  async #read(): Promise<ReadonlySet<string>> {
    const { clock, log, path } = this.#options
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    if (text === null) return new Set()
    const found = readJson(revocationsSchema, text)
    if (found !== null) return new Set(found.keys)
    const aside = await setAside(path, clock.nowMs())
    log.error('The list of revoked passes could not be read', { path, aside })
    return new Set()
  }
}

function signedKeys(data: Uint8Array, authority: string | null): readonly string[] | null {
  if (authority === null || data.length > MAX_BYTES) return null
  const envelope = readJson(revocationsEnvelopeSchema, new TextDecoder().decode(data))
  if (envelope === null || !isSignedBy(authority, 'revocations', envelope.revoked)) return null
  return readJson(revocationsSchema, envelope.revoked.text)?.keys ?? null
}
