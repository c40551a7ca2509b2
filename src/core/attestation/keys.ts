import { z } from 'zod'

/*
 * Keys of a verifier. A key's id contains its date and the beginning of its digest: `pulseward-2026-11-25-1f0c…`.
 */

const date = z.iso.datetime({ offset: true })

/** Revokes trust in everything that the key signed in this period. */
export const revocationSchema = z.object({
  from: date.nullable(),
  until: date.nullable(),
  reason: z.string().max(500).default(''),
})

export const publicKeySchema = z.object({
  keyid: z.string().min(1).max(200),
  /** PEM, SPKI. */
  publicKey: z.string().max(4000),
  createdAt: date.nullable().default(null),
  /** From this date on it signs nothing; earlier signatures stay valid. */
  retiredAt: date.nullable().default(null),
  revoked: z.array(revocationSchema).max(100).default([]),
})

export type PublicKey = z.infer<typeof publicKeySchema>
export type Revocation = z.infer<typeof revocationSchema>

/** A key and what it is trusted for. */
export interface TrustedKey extends Omit<PublicKey, 'keyid'> {
  /** `null`: the key has no name, as in a PEM file. */
  readonly keyid: string | null
  /** `null`: any verifier named in a statement. */
  readonly verifier: string | null
  /** Names of repositories, as in statements; `null` for all. */
  readonly repositories: readonly string[] | null
}

/** Returns the id of a key created at a given time; `digest` is the hex SHA-256 of its SPKI bytes. */
export function keyIdOf(createdAt: string, digest: string): string {
  return `pulseward-${createdAt.slice(0, 10)}-${digest.slice(0, 16)}`
}

/** Returns the beginning of the digest of the key that an id names; `null` if the id is not one of ours. */
export function digestInKeyId(keyid: string): string | null {
  return /^pulseward-\d{4}-\d\d-\d\d-([0-9a-f]{16})$/.exec(keyid)?.[1] ?? null
}

/** Returns why a key is not trusted for what it signed at this time, as a sentence; `null` if it is trusted. */
export function whyNotAt(key: Omit<PublicKey, 'keyid'>, signedAt: string): string | null {
  const at = Date.parse(signedAt)
  if (Number.isNaN(at)) return 'the time of the statement is invalid'
  const isAfter = (limit: string | null): boolean => limit !== null && at > Date.parse(limit)
  const isBefore = (limit: string | null): boolean => limit !== null && at < Date.parse(limit)
  if (isBefore(key.createdAt))
    return `the statement is from ${signedAt}, and the key was created at ${key.createdAt}`
  if (isAfter(key.retiredAt))
    return `the statement is from ${signedAt}, and the key was retired at ${key.retiredAt}`
  const revoked = key.revoked.find(({ from, until }) => !isBefore(from) && !isAfter(until))
  if (revoked === undefined) return null
  const range = `from ${revoked.from ?? 'its beginning'} until ${revoked.until ?? 'further notice'}`
  return `the key is revoked ${range}${revoked.reason === '' ? '' : ` (${revoked.reason})`}`
}

/** Returns why a key is not trusted for this verifier and repository, as a sentence; `null` if it is trusted. */
export function whyNotFor(key: TrustedKey, verifier: string, repository: string): string | null {
  if (key.verifier !== null && key.verifier !== verifier)
    return `it is trusted for the verifier ${key.verifier}, not for ${verifier}`
  if (key.repositories === null) return null
  const named = repositoryName(repository)
  if (key.repositories.some((each) => repositoryName(each) === named)) return null
  return `it is trusted for ${key.repositories.join(', ')}, not for ${repository}`
}

/**
 * Returns a repository's name without the parts that don't distinguish it: `git+`, the scheme, a trailing `.git` or `/`, and case in the
 * host.
 */
function repositoryName(name: string): string {
  const [host = '', ...path] = name
    .replace(/^git\+/, '')
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
  return [host.toLowerCase(), ...path].join('/')
}

/**
 * Returns a repository's name for statements, from the URL of its remote: `git+https://HOST/OWNER/NAME`, never with a user or
 * password. `null` if the URL is not on a network.
 */
export function nameFromRemote(address: string): string | null {
  const byUrl = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(address.trim())
  // `git@host:owner/name`; a single letter before the colon is a Windows drive.
  const byHost = /^(?:[^@/:]+@)?([^/:@]{2,}):(?!\/\/|\\)(.+)$/.exec(address.trim())
  const [, host, path] = byUrl ?? byHost ?? []
  if (host === undefined || path === undefined) return null
  return `git+https://${host.toLowerCase()}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`
}
