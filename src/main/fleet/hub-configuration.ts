import {
  askSubject,
  contentBucket,
  inboxPrefix,
  leaseAskSubject,
  ledgerStream,
} from '../../core/fleet/names.ts'
import type { HubDocument, HubKey } from './hub-document.ts'

/*
 * The configuration of nats-server, in its own language. What a key may do is written here and nowhere else: a host
 * writes its own subjects, and reads nothing of another's record. `nats-server` 2.9 understands all of it.
 */

/**
 * What the server is started with; the keys stand in a file of their own, which an operator's own cluster can include
 * as well.
 */
export function serverConfiguration({ address }: HubDocument, directory: string): string {
  const port = address.split(':').at(-1) ?? '4222'
  return `# Written by \`pulseward fleet hub\`; the keys are in users.conf.
server_name: "pulseward-hub"
listen: "0.0.0.0:${port}"
# A line of a record has up to 1 MiB, and its headers.
max_payload: 2MB
# A host that is cut off is let go in a minute.
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
  # What a host's bucket may hold counts as if it were full: by the server's own limit, which is the disk, a few hosts would be all.
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

/** One user a key: nothing but their public halves stand in it. */
export function usersConfiguration({ centre, keys }: HubDocument): string {
  const users = [centreUser(centre), ...keys.filter(({ revokedAt }) => revokedAt === null).map(keyUser)]
  return `# Written by \`pulseward fleet hub\`: who may do what. Changed by its commands, not by hand.
users: [
${users.join(',\n')}
]
`
}

/** Whether `users` (`users.conf`) was written by the rules of this version; whom it lets in is no part of that. */
export function hasCurrentRules(users: string, { centre }: HubDocument): boolean {
  return users.includes(centreUser(centre))
}

/** Ways to take away what was received: by deleting, by a limit that is made smaller, or by putting back something else. */
const TAKES_AWAY = [
  '$JS.API.STREAM.DELETE.>',
  '$JS.API.STREAM.PURGE.>',
  '$JS.API.STREAM.UPDATE.>',
  '$JS.API.STREAM.RESTORE.>',
  '$JS.API.STREAM.MSG.DELETE.>',
  '$JS.API.STREAM.PEER.>',
  '$JS.API.ACCOUNT.PURGE.>',
]
/** What hosts alone say. */
const HOSTS_WORD = ['pw.ledger.>', 'pw.host.>', 'pw.facts.>', 'pw.lease.>']

/** A record that was received stays, and nothing is said in a host's name, whoever gets hold of this key. */
function centreUser(key: string): string {
  return user(key, {
    publish: { deny: [...TAKES_AWAY, ...HOSTS_WORD] },
    subscribe: { allow: ['>'] },
  })
}

function keyUser({ name, key, role }: HubKey): string {
  return role === 'host' ? hostUser(name, key) : operatorUser(name, key)
}

/** Asks hosts, in no name but his own. */
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
    // Whoever asked is answered, once.
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
