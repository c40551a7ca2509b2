import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type ProcessOrigin, processOrigin } from '../process/process-origin.ts'
import { supervisorTag } from '../process/supervisor-tag.ts'
import { findPeer } from './peer.ts'
import type { RequestOrigin } from './request-origin.ts'

/** Finds out whose word a request over HTTP is. */
export interface Authority {
  /** `isPage`: it shows the page's cookie and not the token. */
  originOf(request: IncomingMessage, isPage: boolean): Promise<RequestOrigin>
}

/** Asks the kernel who is at the other end of a connection, once for each connection. */
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
      const from = peer === null ? '' : `${peer.name} (process ${peer.pid})`
      const pid = peer?.pid ?? null
      // A host and its client in one process: a command that has an own host.
      if (pid === process.pid) return { who: 'host', from, pid }
      if (peer?.isSupervised === true) return { who: 'agent', from, pid }
      if (isPage) return { who: 'page', from, pid }
      return { who: peer?.hasTerminal === true ? 'terminal' : 'program', from, pid }
    },
  }
}

/** What a process of an agent's may ask for: how it stands with its own task. */
export function mayAsk(method: string | undefined, pathname: string): boolean {
  return method === 'GET' && (pathname === '/api/tasks' || pathname === '/healthz')
}
