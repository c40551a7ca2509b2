import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RequestProblem } from '../../api/request-problem.ts'
import { CENTRE_NAME, type Certificate, OPERATOR_MARK, type OperatorPass } from '../../core/fleet/ask.ts'
import { type HubPass, tokenOf } from '../../core/fleet/join-token.ts'
import { hostNameSchema } from '../../core/fleet/names.ts'
import { shellCommand } from '../../core/text/command-words.ts'
import type { OperatorRole } from '../../core/vocabulary/fleet.ts'
import { createDirectory, exists, writeFileAtomically } from '../files/durable-file.ts'
import { certificateFor } from './certificate.ts'
import { connectHub } from './connect-hub.ts'
import { newKey, readAuthority, writeAuthority } from './hub-authority.ts'
import { hasCurrentRules, serverConfiguration, usersConfiguration } from './hub-configuration.ts'
import { changingHub, type HubDocument, type HubKey, hubPath, readHub, writeHub } from './hub-document.ts'
import { tellHosts } from './revocations.ts'
import { sign } from './sign.ts'

const DAY_MS = 24 * 60 * 60_000

export interface CreatedHub {
  readonly directory: string
  readonly address: string
  readonly url: string
  /** Commands that start the hub: the server, and the center, which creates its streams. */
  readonly commands: readonly [string, string]
  readonly users: string
}

/** Writes a hub into a folder without one: configuration, certificate, keys. Rejects with a `RequestProblem`. */
export async function createHub(directory: string, address: string, nowMs: number): Promise<CreatedHub> {
  const host = addressOf(address)
  if (await exists(hubPath(directory)))
    throw new RequestProblem(
      'conflict',
      `There is already a hub in ${directory}; \`pulseward fleet hub add\` adds hosts to it.`,
    )
  await createDirectory(join(directory, 'tls'))
  const certificate = await certificateFor(host, nowMs)
  const { key, seed } = newKey()
  const authority = await writeAuthority(directory)
  const hub: HubDocument = { v: 1, address, centre: key, authority, keys: [] }
  await writeFileAtomically(join(directory, 'tls/key.pem'), certificate.key)
  await writeFileAtomically(join(directory, 'tls/certificate.pem'), certificate.certificate)
  const pass = { v: 1, url: urlOf(address), name: CENTRE_NAME, seed, ca: certificate.certificate }
  await writeFileAtomically(join(directory, 'centre.json'), `${JSON.stringify(pass, null, 2)}\n`)
  await writeFileAtomically(join(directory, 'nats-server.conf'), serverConfiguration(hub, directory))
  await writeUsers(directory, hub)
  // Written last, so that an incomplete hub is written again.
  await writeHub(directory, hub)
  return {
    directory,
    address,
    url: urlOf(address),
    commands: [
      shellCommand(['nats-server', '-c', join(directory, 'nats-server.conf')]),
      shellCommand(['pulseward', 'serve', '--fleet', directory]),
    ],
    users: join(directory, 'users.conf'),
  }
}

export interface AddedKey {
  readonly name: string
  readonly url: string
  /** Shown only once, because the private half is not stored here. */
  readonly token: string
  readonly key: string
  /** Why a running server does not know the key yet, and how to fix it; `null`: it does. */
  readonly notYet: string | null
}

/** Adds a host. Rejects with a `RequestProblem` if the name is taken or invalid. */
export function addKey(directory: string, name: string, nowMs: number): Promise<AddedKey> {
  return changingHub(directory, () => addAlone(directory, name, nowMs))
}

async function addAlone(directory: string, name: string, nowMs: number): Promise<AddedKey> {
  const { key, seed } = newKey()
  const host = { name, key, seed, role: 'host', signing: null } as const
  const { hub, ca, notYet } = await letIn(directory, host, nowMs)
  const pass: HubPass = { v: 1, name, seed, ca, authority: hub.authority }
  const token = tokenOf(pass, (text) => Buffer.from(text).toString('base64url'))
  return { name, url: urlOf(hub.address), token, key, notYet }
}

export interface NamedOperator {
  readonly name: string
  readonly role: OperatorRole
  /** The operator's pass; shown once, like a host's token. */
  readonly token: string
  /** ISO 8601. */
  readonly notAfter: string
  readonly notYet: string | null
}

/** Adds an operator who may send hosts requests until the pass expires after this many days. Rejects with a `RequestProblem` if the name is taken or invalid. */
export function nameOperator(
  directory: string,
  { name, role, days }: { readonly name: string; readonly role: OperatorRole; readonly days: number },
  nowMs: number,
): Promise<NamedOperator> {
  return changingHub(directory, async () => {
    const [connecting, signing] = [newKey(), newKey()]
    const authority = await readAuthority(directory)
    const given = { name, ...connecting, role, signing: signing.key }
    const { hub, ca, notYet } = await letIn(directory, given, nowMs, authority.key)
    const notAfter = new Date(nowMs + days * DAY_MS).toISOString()
    const certificate: Certificate = { v: 1, name, role, key: signing.key, notAfter }
    const pass: OperatorPass = {
      v: 1,
      name,
      role,
      url: urlOf(hub.address),
      ca,
      seed: connecting.seed,
      signingSeed: signing.seed,
      certificate: sign(authority.seed, 'certificate', JSON.stringify(certificate)),
    }
    const token = `${OPERATOR_MARK}${Buffer.from(JSON.stringify(pass)).toString('base64url')}`
    return { name, role, token, notAfter, notYet }
  })
}

/** Adds a key while no one else changes the hub. */
async function letIn(
  directory: string,
  { seed, ...given }: Pick<HubKey, 'name' | 'key' | 'role' | 'signing'> & { readonly seed: string },
  nowMs: number,
  authority?: string,
): Promise<{ readonly hub: HubDocument; readonly ca: string; readonly notYet: string | null }> {
  const { name } = given
  const named = hostNameSchema.safeParse(name)
  if (!named.success)
    throw new RequestProblem(
      'bad-request',
      `${JSON.stringify(name)}: expected ${named.error.issues[0]?.message}.`,
    )
  const hub = await readHub(directory)
  if (name === CENTRE_NAME || hub.keys.some((each) => each.name === name && each.revokedAt === null))
    throw new RequestProblem(
      'conflict',
      `${name} already has access. Revoke it first, or choose another name.`,
    )
  const added: HubKey = { ...given, addedAt: new Date(nowMs).toISOString(), revokedAt: null }
  const changed = { ...hub, ...(authority !== undefined && { authority }), keys: [...hub.keys, added] }
  await writeHub(directory, changed)
  await writeUsers(directory, changed)
  const ca = await readFile(join(directory, 'tls/certificate.pem'), 'utf8')
  const notYet = await reload(directory)
  // The server takes a moment to load the key, and what is printed should work at once. If the hub can't be reached from here, that is left
  // to the administrator.
  const pass = { v: 1, url: urlOf(hub.address), name, seed, ca, authority: null } as const
  if (notYet === null)
    await connectHub(pass).then(
      (connection) => connection.close(),
      () => undefined,
    )
  return { hub: changed, ca, notYet }
}

export interface RevokedKey {
  readonly name: string
  /** Same as for an added key. */
  readonly notYet: string | null
  /** How many hosts have confirmed that they refuse the operator's pass too; `null`: it was not an operator's key. */
  readonly hosts: number | null
}

/** Revokes a key: a running server ends its connection. What it sent stays. Hosts refuse a revoked operator's pass too. */
export async function revokeKey(directory: string, name: string, nowMs: number): Promise<RevokedKey> {
  const { isOperator, ...revoked } = await changingHub(directory, () => revokeAlone(directory, name, nowMs))
  return { ...revoked, hosts: isOperator ? await tellHosts(directory) : null }
}

async function revokeAlone(directory: string, name: string, nowMs: number) {
  const hub = await readHub(directory)
  const isMeant = (each: HubKey): boolean => each.name === name && each.revokedAt === null
  if (!hub.keys.some(isMeant)) {
    const known = hub.keys.filter(({ revokedAt }) => revokedAt === null).map((each) => each.name)
    throw new RequestProblem(
      'not-found',
      `No key is called ${JSON.stringify(name)}; known are ${known.join(', ') || 'none'}.`,
    )
  }
  const revokedAt = new Date(nowMs).toISOString()
  const changed = { ...hub, keys: hub.keys.map((each) => (isMeant(each) ? { ...each, revokedAt } : each)) }
  await writeHub(directory, changed)
  await writeUsers(directory, changed)
  const isOperator = hub.keys.some((each) => isMeant(each) && each.role !== 'host')
  return { name, notYet: await reload(directory), isOperator }
}

async function writeUsers(directory: string, hub: HubDocument): Promise<void> {
  await writeFileAtomically(join(directory, 'users.conf'), usersConfiguration(hub))
}

/**
 * Rewrites the users file if an earlier version's rules are in it, and tells a running server. Never rejects: an administrator
 * may keep the folder read-only.
 */
export async function refreshUsers(directory: string): Promise<void> {
  await changingHub(directory, async () => {
    const hub = await readHub(directory)
    const before = await readFile(join(directory, 'users.conf'), 'utf8').catch(() => '')
    if (hasCurrentRules(before, hub)) return
    await writeUsers(directory, hub)
    await reload(directory)
  }).catch(() => undefined)
}

/** Tells a running server about the change; returns why it could not be told. */
async function reload(directory: string): Promise<string | null> {
  const pidFile = join(directory, 'nats-server.pid')
  if (!(await exists(pidFile)))
    return 'nats-server is not running from this folder: it reads the keys when it starts.'
  const command = ['--signal', `reload=${pidFile}`]
  return promisify(execFile)('nats-server', command, { timeout: 10_000 }).then(
    () => null,
    () => `The running server could not be told. Run: nats-server ${command.join(' ')}`,
  )
}

export function urlOf(address: string): string {
  return `tls://${address}`
}

/** Returns the name or IP address of `HOST:PORT`. Throws a `RequestProblem`. */
function addressOf(address: string): string {
  const match = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/.exec(address)
  const port = Number(match?.[2])
  if (match?.[1] === undefined || port < 1 || port > 65_535)
    throw new RequestProblem(
      'bad-request',
      `${JSON.stringify(address)} is not an address: expected HOST:PORT as the hosts reach it, such as hub.example.org:4222.`,
    )
  return match[1].replace(/^\[|\]$/g, '')
}
