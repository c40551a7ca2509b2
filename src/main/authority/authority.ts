import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type ProcessOrigin, processOrigin } from '../process/process-origin.ts'
import { supervisorTag } from '../process/supervisor-tag.ts'
import { findPeer, findPeerUser } from './peer.ts'
import type { RequestOrigin } from './request-origin.ts'

/** Identifies who sent an HTTP request: the operator, an agent or a check, or some other program. */
export interface Authority {
  /** `isPage`: the request carries the page's cookie instead of the token. */
  originOf(request: IncomingMessage, isPage: boolean): Promise<RequestOrigin>
}

/** Asks the kernel who is at the other end of a connection, once per connection. */
export function createAuthority(dataDirectory: string): Authority {
  const tag = supervisorTag(dataDirectory)
  const known = new WeakMap<Socket, Promise<ProcessOrigin | null>>()

  const peerOf = (socket: Socket): Promise<ProcessOrigin | null> => {
    const before = known.get(socket)
    if (before !== undefined) return before
    const found = findPeer(socket).then((pid) => (pid === null ? null : processOrigin(pid, tag)))
    known.set(socket, found)
    return found
  }

  return {
    originOf: async ({ socket }, isPage) => {
      const peer = await peerOf(socket).catch(() => null)
      const from = peer === null ? '' : `${plainName(peer.name)} (process ${peer.pid})`
      const pid = peer?.pid ?? null
      // The host and its client are one process: a command with its own host.
      if (pid === process.pid) return { who: 'host', from, pid }
      if (peer?.isSupervised === true) return { who: 'agent', from, pid, directory: peer.directory }
      if (isPage) return { who: 'page', from, pid }
      if (peer === null && (await mayBeOurs(socket))) return { who: 'unknown', from, pid }
      return { who: peer?.hasTerminal === true ? 'terminal' : 'program', from, pid }
    },
  }
}

/**
 * Returns whether the user that agents run as may have sent this. An unidentified peer may be one of its processes, because a program can
 * close its end, or hide its open files, before the lookup.
 */
async function mayBeOurs(socket: Socket): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const user = await findPeerUser(socket)
  return user === null || user === process.getuid?.()
}

/** Returns a name as plain text: a process chooses its own name, of at most 15 bytes, and people will read it. */
function plainName(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?')
}
