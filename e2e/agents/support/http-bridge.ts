import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

/*
 * The conformance suite speaks HTTP, and calls tools and resources of a server made for it. The bridge starts a process for each session,
 * passes all messages on unchanged, and replaces the names with those of ours that do the same.
 */

export interface Bridge {
  readonly url: string
  close(): Promise<void>
}

export async function bridge(
  command: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> },
  names: Readonly<Record<string, string>>,
): Promise<Bridge> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const processes: StdioClientTransport[] = []

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const child = new StdioClientTransport(command)
    processes.push(child)
    const session = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
      enableDnsRebindingProtection: true,
      allowedHosts: [`127.0.0.1:${port()}`],
    })
    // A request from the server belongs to the call that the server is working on.
    let call: RequestId | undefined
    session.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) call = message.id
      void child.send(renamed(message, names))
    }
    child.onmessage = (message) => {
      const isRequest = 'method' in message && call !== undefined
      // Some scenarios hang up before they get an answer.
      session.send(message, isRequest ? { relatedRequestId: call } : {}).catch(() => undefined)
    }
    session.onclose = () => void child.close()
    await child.start()
    await session.start()
    return session
  }

  const server = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id']
    const session = (typeof id === 'string' ? sessions.get(id) : undefined) ?? (await open())
    await session.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (): number => (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${port()}/mcp`,
    close: async () => {
      await Promise.all(processes.map((child) => child.close()))
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function renamed(message: JSONRPCMessage, names: Readonly<Record<string, string>>): JSONRPCMessage {
  if (!('params' in message)) return message
  const params = Object.entries(message.params ?? {}).map(([key, value]) => [
    key,
    (key === 'name' || key === 'uri') && typeof value === 'string' ? (names[value] ?? value) : value,
  ])
  return { ...message, params: Object.fromEntries(params) } as JSONRPCMessage
}
