import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Socket } from 'node:net'

/**
 * The process at the other end of a local connection; `null` where it cannot be found: it is gone, belongs to somebody else, or this
 * is no Linux.
 */
export async function findPeer(socket: Pick<Socket, 'remotePort' | 'localPort'>): Promise<number | null> {
  const { remotePort, localPort } = socket
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return null
  const inode =
    (await inodeOf('/proc/net/tcp', remotePort, localPort)) ??
    (await inodeOf('/proc/net/tcp6', remotePort, localPort))
  return inode === null ? null : ownerOf(inode)
}

/** The socket's inode in a table whose rows are `sl local remote state … uid timeout inode`, addresses as `HEX:HEXPORT`. */
async function inodeOf(table: string, own: number, other: number): Promise<string | null> {
  const text = await readFile(table, 'latin1').catch(() => '')
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  for (const row of text.split('\n').slice(1)) {
    const fields = row.trim().split(/\s+/)
    const inode = fields[9]
    if (inode === undefined || inode === '0') continue
    if (fields[1]?.endsWith(`:${hex(own)}`) === true && fields[2]?.endsWith(`:${hex(other)}`) === true)
      return inode
  }
  return null
}

async function ownerOf(inode: string): Promise<number | null> {
  const link = `socket:[${inode}]`
  const pids = (await readdir('/proc').catch((): string[] => [])).filter((name) => /^\d+$/.test(name))
  // The newest first: who asks has mostly just been started.
  for (const pid of pids.map(Number).sort((left, right) => right - left)) {
    const names = await readdir(`/proc/${pid}/fd`).catch((): string[] => [])
    const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
    if (links.includes(link)) return pid
  }
  return null
}
