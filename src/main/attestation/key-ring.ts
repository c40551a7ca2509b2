import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { keyIdOf, publicKeySchema, type Revocation } from '../../core/attestation/keys.ts'
import { createDirectory, PRIVATE_FILE, writeFileAtomically } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { errorCode } from '../files/storage-error.ts'
import type { KeyStore } from '../process/key-store.ts'
import type { SigningKey } from './envelope.ts'

/*
 * The keys that sign verdicts, in the data folder, which no sandboxed agent can see. The private key is in the system's key store if there
 * is one, otherwise in a file that only this user can read. Without a sandbox an agent has all rights of this user, and can read both.
 */

const ringSchema = z.object({
  $schema: z.literal('pulseward.keys.v1'),
  /** Oldest first; the last one signs. */
  keys: z.array(publicKeySchema.extend({ keptIn: z.enum(['key-store', 'file']) })),
})

type Ring = z.infer<typeof ringSchema>
export type RingKey = Ring['keys'][number]

export interface KeyRingOptions {
  readonly dataDirectory: string
  /** `null`: this system has no key store. */
  readonly keyStore: KeyStore | null
  readonly nowMs: () => number
}

/** The keys of a data folder. */
export class KeyRing {
  readonly #keyStore: KeyStore | null
  readonly #nowMs: () => number
  readonly #folder: string
  readonly #path: string

  constructor({ dataDirectory, keyStore, nowMs }: KeyRingOptions) {
    this.#keyStore = keyStore
    this.#nowMs = nowMs
    this.#folder = join(dataDirectory, 'attestation')
    this.#path = join(this.#folder, 'keys.json')
  }

  /** Returns all keys, oldest first; empty if nothing has been signed yet. */
  list(): Promise<readonly RingKey[]> {
    return readRing(this.#path)
  }

  /** Returns the signing key, created at first use. Rejects with a `RequestProblem` if its private half cannot be read. */
  async signingKey(): Promise<SigningKey> {
    const key = (await this.list()).at(-1) ?? (await this.#makeFirst())
    return { keyid: key.keyid, privateKey: await this.#readPrivate(key) }
  }

  /** Retires the signing key and creates another. */
  async rotate(): Promise<RingKey> {
    const keys = await this.list()
    if (keys.length === 0) return this.#makeFirst()
    const key = await this.#make()
    await this.#write([...keys.map((old) => ({ ...old, retiredAt: old.retiredAt ?? key.createdAt })), key])
    return key
  }

  /** Distrusts what a key signed in a time range; `null` is open. Rejects with a `RequestProblem` if there is no such key. */
  async revoke(keyid: string, revocation: Revocation): Promise<RingKey> {
    const keys = await this.list()
    const key = keys.find((each) => each.keyid === keyid)
    if (key === undefined)
      throw new RequestProblem(
        'not-found',
        `There is no key ${JSON.stringify(keyid)}. \`pulseward key show\` lists them.`,
      )
    const revoked = { ...key, revoked: [...key.revoked, revocation] }
    await this.#write(keys.map((each) => (each === key ? revoked : each)))
    return revoked
  }

  async #make(): Promise<RingKey> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const createdAt = new Date(this.#nowMs()).toISOString()
    const keyid = keyIdOf(createdAt, sha256(publicKey.export({ type: 'spki', format: 'der' })))
    await createDirectory(this.#folder)
    const isStored = await this.#store(keyid, privateKey)
    if (!isStored)
      await writeFileAtomically(
        this.#privatePath(keyid),
        privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        { mode: PRIVATE_FILE },
      )
    return {
      keyid,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      createdAt,
      retiredAt: null,
      revoked: [],
      keptIn: isStored ? 'key-store' : 'file',
    }
  }

  /**
   * Stores the key in the system's key store, and returns whether that worked. Reads it back, because a store may accept what it cannot
   * return.
   */
  async #store(keyid: string, privateKey: KeyObject): Promise<boolean> {
    const value = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url')
    if (this.#keyStore === null || !(await this.#keyStore.write(keyid, value))) return false
    return (await this.#keyStore.read(keyid)) === value
  }

  /** If two processes create the first key at once, one succeeds and the other uses its key. */
  async #makeFirst(): Promise<RingKey> {
    const key = await this.#make()
    const draft = `${this.#path}.${key.keyid}`
    await writeFile(draft, textOf([key]), { mode: PRIVATE_FILE, flag: 'wx' })
    try {
      await link(draft, this.#path)
      return key
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      await this.#keyStore?.forget(key.keyid)
      await rm(this.#privatePath(key.keyid), { force: true })
      const winner = (await this.list()).at(-1)
      if (winner === undefined) throw error
      return winner
    } finally {
      await rm(draft, { force: true })
    }
  }

  async #readPrivate({ keyid, publicKey, keptIn }: RingKey): Promise<KeyObject> {
    const path = this.#privatePath(keyid)
    const text =
      keptIn === 'file' ? await readFile(path, 'utf8').catch(() => '') : await this.#keyStore?.read(keyid)
    const privateKey = parsePrivate(text ?? '')
    if (privateKey !== null && isPairOf(privateKey, publicKey)) return privateKey
    throw new RequestProblem(
      'unprocessable',
      `The private key ${keyid} can't be read from ${keptIn === 'file' ? path : 'the system’s key store'}. Unlock or restore it, or create a new one with \`pulseward key rotate\`.`,
    )
  }

  #write(keys: readonly RingKey[]): Promise<void> {
    return writeFileAtomically(this.#path, textOf(keys), { mode: PRIVATE_FILE })
  }

  #privatePath(keyid: string): string {
    return join(this.#folder, `${keyid}.pem`)
  }
}

function isPairOf(privateKey: KeyObject, publicKey: string): boolean {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() === publicKey
}

function textOf(keys: readonly RingKey[]): string {
  const ring: Ring = { $schema: 'pulseward.keys.v1', keys: [...keys] }
  return `${JSON.stringify(ring, null, 2)}\n`
}

/** Reads the ring. An unreadable one is never replaced, because its trusted keys would be lost. */
async function readRing(path: string): Promise<readonly RingKey[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return []
  try {
    return ringSchema.parse(JSON.parse(text)).keys
  } catch (cause) {
    throw new RequestProblem(
      'unprocessable',
      `${path} can't be read. Restore it from a backup, or move it away to start with a new key.`,
      { cause },
    )
  }
}

function parsePrivate(text: string): KeyObject | null {
  try {
    return text.startsWith('-----')
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, 'base64url'), type: 'pkcs8', format: 'der' })
  } catch {
    return null
  }
}
