import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** A lookup that waits for the next scan of all processes. */
interface Asked {
  /** The ports as the other end sees them: `HEX:HEX`, own and remote. */
  readonly ports: string
  readonly resolve: (pid: number | null) => void
}

let asked: Asked[] = []
let isLooking = false

/**
 * Returns the process at the other end of a local connection; `null` if it is not found: it is gone, belongs to another user, or this is
 * not Linux. Waiting lookups share the next scan of all processes, so hundreds of connections at once cost no more than a few. Never
 * rejects.
 */
export async function findPeer(socket: Pick<Socket, 'remotePort' | 'localPort'>): Promise<number | null> {
  const { remotePort, localPort } = socket
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return null
  return new Promise((resolve) => {
    asked.push({ ports: `${hex(remotePort)}:${hex(localPort)}`, resolve })
    if (!isLooking) void lookForAll()
  })
}

/**
 * Returns the user id of the socket at the other end of a local connection; `null` if unknown: that end is closed, or this is not
 * Linux.
 */
export async function findPeerUser({
  remotePort = 0,
  localPort = 0,
}: Pick<Socket, 'remotePort' | 'localPort'>): Promise<number | null> {
  const ports = `${hex(remotePort)}:${hex(localPort)}`
  const row = (await rowsOf(new Set([ports]))).get(ports)
  return row === undefined ? null : row.user
}

/** Runs one scan at a time, each for all lookups requested before it began. */
async function lookForAll(): Promise<void> {
  isLooking = true
  while (asked.length > 0) {
    const batch = asked
    asked = []
    const rows = await rowsOf(new Set(batch.map(({ ports }) => ports)))
    const owners = await ownersOf(new Set([...rows.values()].map(({ inode }) => inode)))
    for (const { ports, resolve } of batch) resolve(owners.get(rows.get(ports)?.inode ?? '') ?? null)
  }
  isLooking = false
}

/**
 * Returns the sockets with these ports, from tables whose rows are `sl local remote state … uid timeout inode`, addresses as
 * `HEX:HEXPORT`. Skips sockets without an inode, which their program has closed.
 */
async function rowsOf(
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, { readonly inode: string; readonly user: number }>> {
  const rows = new Map<string, { inode: string; user: number }>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    if (rows.size === wanted.size) break
    const text = await readFile(table, 'latin1').catch(() => '')
    for (const row of text.split('\n').slice(1)) {
      const [, own = '', other = '', , , , , user, , inode] = row.trim().split(/\s+/)
      const ports = `${portOf(own)}:${portOf(other)}`
      if (inode !== undefined && inode !== '0' && wanted.has(ports) && !rows.has(ports))
        rows.set(ports, { inode, user: Number(user) })
    }
  }
  return rows
}

/** Returns which process owns each of these sockets. Checks the newest processes first, because the sender has usually just started. */
async function ownersOf(inodes: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  const owners = new Map<string, number>()
  if (inodes.size === 0) return owners
  const pids = (await readdir('/proc').catch((): string[] => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids.map(Number).sort((left, right) => right - left)) {
    const names = await readdir(`/proc/${pid}/fd`).catch((): string[] => [])
    const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
    for (const link of links) {
      const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1]
      if (inode !== undefined && inodes.has(inode) && !owners.has(inode)) owners.set(inode, pid)
    }
    if (owners.size === inodes.size) break
  }
  return owners
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1)
}
