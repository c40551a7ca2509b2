import {
  askSubject,
  contentBucket,
  inboxPrefix,
  leaseAskSubject,
  ledgerStream,
} from '../../core/fleet/names.ts'
import type { HubDocument, HubKey } from './hub-document.ts'

/*
 * The configuration of nats-server, in its own language. Only this file says what a key may do: a host writes to its own subjects
 * and reads nothing of another's record. `nats-server` 2.9 understands all of it.
 */

/** Returns the server's main configuration; the keys are in a separate file, so that an operator's own cluster can include it too. */
export function serverConfiguration({ address }: HubDocument, directory: string): string {
  const port = address.split(':').at(-1) ?? '4222'
  return `# Written by \`pulseward fleet hub\`; the keys are in users.conf.
server_name: "pulseward-hub"
listen: "0.0.0.0:${port}"
# A line of a record has up to 1 MiB, and its headers.
max_payload: 2MB
# An unreachable host is disconnected after a minute.
ping_interval: "20s"
ping_max: 3
pid_file: ${JSON.stringify(`${directory}/nats-server.pid`)}

tls {
  cert_file: ${JSON.stringify(`${directory}/tls/certificate.pem`)}
  key_file: ${JSON.stringify(`${directory}/tls/key.pem`)}
  timeout: 5
}

jetstream {
  store_dir: ${JSON.stringify(`${directory}/streams`)}
  # The server counts each bucket's limit as used: with its default, the disk size, a few hosts would use it up.
  max_file_store: 1PB
}

accounts {
  PULSEWARD {
    jetstream: enabled
    include "users.conf"
  }
}
`
}

/** Returns one user per key; the file contains only public halves. */
export function usersConfiguration({ centre, keys }: HubDocument): string {
  const users = [centreUser(centre), ...keys.filter(({ revokedAt }) => revokedAt === null).map(keyUser)]
  return `# Written by \`pulseward fleet hub\`: who may do what. Changed by its commands, not by hand.
users: [
${users.join(',\n')}
]
`
}

/** Checks whether `users` (`users.conf`) was written by this version's rules, whatever users it lists. */
export function hasCurrentRules(users: string, { centre }: HubDocument): boolean {
  return users.includes(centreUser(centre))
}

/** Requests that could remove what was received: by deleting it, lowering a limit, or restoring something else. */
const TAKES_AWAY = [
  '$JS.API.STREAM.DELETE.>',
  '$JS.API.STREAM.PURGE.>',
  '$JS.API.STREAM.UPDATE.>',
  '$JS.API.STREAM.RESTORE.>',
  '$JS.API.STREAM.MSG.DELETE.>',
  '$JS.API.STREAM.PEER.>',
  '$JS.API.ACCOUNT.PURGE.>',
]
/** Subjects that only hosts write to. A message to a bucket could also remove what is in it. */
const HOSTS_WORD = ['pw.ledger.>', 'pw.host.>', 'pw.facts.>', 'pw.lease.>', '$O.>']

/** Returns the center's user. Even with a stolen center key, received records stay and no one can send in a host's name. */
function centreUser(key: string): string {
  return user(key, {
    publish: { deny: [...TAKES_AWAY, ...HOSTS_WORD] },
    subscribe: { allow: ['>'] },
  })
}

function keyUser({ name, key, role }: HubKey): string {
  return role === 'host' ? hostUser(name, key) : operatorUser(name, key)
}

/** Returns an operator's user, who can only ask hosts in that operator's name. */
function operatorUser(name: string, key: string): string {
  return user(key, {
    publish: { allow: [askSubject('*', name)] },
    subscribe: { allow: [`${inboxPrefix(name)}.>`] },
  })
}

function hostUser(name: string, key: string): string {
  return user(key, {
    publish: {
      allow: [
        `pw.ledger.${name}.*`,
        `pw.host.${name}`,
        `pw.facts.${name}.*`,
        `pw.hello.${name}`,
        `$JS.API.DIRECT.GET.${ledgerStream(name)}.>`,
        leaseAskSubject(name),
        `$O.${contentBucket(name)}.>`,
      ],
    },
    subscribe: { allow: [`${inboxPrefix(name)}.>`, askSubject(name, '*')] },
    // The host may answer each request once.
    allow_responses: true,
  })
}

interface Permissions {
  readonly publish: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }
  readonly subscribe: { readonly allow: readonly string[] }
  readonly allow_responses?: boolean
}

function user(key: string, permissions: Permissions): string {
  return `  { nkey: ${key}, permissions: ${JSON.stringify(permissions)} }`
}
