import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { checkServerIdentity, type ConnectionOptions as TlsOptions } from 'node:tls'
import {
  type ConnectionOptions,
  connect,
  errors,
  type NatsConnection,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { RequestProblem } from '../../api/request-problem.ts'
import { inboxPrefix } from '../../core/fleet/names.ts'
import type { CentreFile } from './pass-file.ts'
import { whileReloading } from './while-reloading.ts'

/** Why there is no connection: temporary, or until someone acts. */
export class HubRefusal extends RequestProblem {
  override readonly name = 'HubRefusal'
  constructor(message: string, cause?: unknown) {
    super('unprocessable', message, { cause })
  }
}

const PATIENCE_MS = 5_000

/**
 * Opens one outbound connection. Rejects with a `HubRefusal` if the hub was reached and refuses or is not the expected one; with
 * a `RequestProblem` of kind `unavailable` if it cannot be reached. Does not reconnect: the caller does, and sees why the
 * connection ended. If `signal` aborts first, rejects at once.
 */
export async function connectHub(
  { url, name, seed, ca }: CentreFile,
  signal: AbortSignal = NEVER,
  /** What to do if the key is refused. */
  remedy = 'Ask for a new one: pulseward fleet hub add NAME.',
): Promise<NatsConnection> {
  const server = parseHubUrl(url)
  const isPlain = server.protocol === 'nats:' && ca === null
  const tls: Pick<TlsOptions, 'ca' | 'checkServerIdentity'> = {
    ...(ca !== null && { ca }),
    // The client identifies the server only by name, and an IP address has none.
    checkServerIdentity: (_name, certificate) =>
      checkServerIdentity(server.hostname.replace(/^\[|\]$/g, ''), certificate),
  }
  const reach = (): Promise<NatsConnection> =>
    connectOrClose(
      {
        servers: [server.host],
        name: `pulseward ${name}`,
        authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
        inboxPrefix: inboxPrefix(name),
        ...(!isPlain && { tls: tls as { readonly ca?: string } }),
        reconnect: false,
        ignoreClusterUpdates: true,
        timeout: PATIENCE_MS,
        pingInterval: 20_000,
        maxPingOut: 3,
      },
      signal,
    )
  try {
    return await whileReloading(reach, isReloading)
  } catch (error) {
    throw inWords(error, url, remedy)
  }
}

const NEVER = new AbortController().signal

/** Sockets opened by the connection attempt. */
const opened = new AsyncLocalStorage<Set<Socket>>()
subscribe('net.client.socket', (message) => {
  opened.getStore()?.add((message as { readonly socket: Socket }).socket)
})

/**
 * Connects, and closes the socket on failure. The library forgets the socket of a server that accepts the connection and then stays silent:
 * each attempt would leak a socket, and the last one would keep the process alive.
 */
async function connectOrClose(options: ConnectionOptions, signal: AbortSignal): Promise<NatsConnection> {
  signal.throwIfAborted()
  const sockets = new Set<Socket>()
  const close = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    return await opened.run(sockets, () => connect(options))
  } catch (error) {
    close()
    throw error
  } finally {
    signal.removeEventListener('abort', close)
  }
}

/**
 * Returns whether an error may come from a server that is reloading its list of keys: it refuses clients at that moment, possibly during
 * the handshake.
 */
function isReloading(error: unknown): boolean {
  const code = error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? causeOf(error)) : ''
  return (
    error instanceof errors.AuthorizationError || /ERR_SSL_.*BAD_RECORD_MAC|ERR_SSL_WRONG_VERSION/.test(code)
  )
}

/** Parses `tls://HOST:PORT`; allows `nats://` only on this machine, where no one can listen in. Throws a `RequestProblem`. */
export function parseHubUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['tls:', 'nats:'].includes(parsed.protocol) || parsed.hostname === '')
    throw new RequestProblem(
      'bad-request',
      `${JSON.stringify(url)} is not a hub address: expected tls://HOST:PORT.`,
    )
  if (parsed.port === '') parsed.port = '4222'
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(parsed.hostname)
  if (parsed.protocol === 'nats:' && !isLocal)
    throw new RequestProblem(
      'bad-request',
      `${url} would send records unencrypted. Use tls://${parsed.host}.`,
    )
  return parsed
}

/** Explains a failed connection, with the fix. */
export function inWords(error: unknown, url: string, remedy = ''): RequestProblem {
  const message = error instanceof Error ? `${error.message} ${causeOf(error)}` : String(error)
  const innermost = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const shown = innermost instanceof Error ? innermost.message : String(innermost)
  if (error instanceof errors.AuthorizationError || /authorization|authentication/i.test(message))
    return new HubRefusal(
      `The hub at ${url} refuses this key: it was revoked, belongs to another hub, or the server does not know it yet. ${remedy}`.trim(),
      error,
    )
  if (/certificate|self.signed|altname|UNABLE_TO_|CERT_|ERR_TLS|wrong version number|EPROTO/i.test(message))
    return new HubRefusal(
      `The server at ${url} is not the hub of this token, or has another name (${shown}). Compare the address with the one that the hub was created for.`,
      error,
    )
  return new RequestProblem(
    'unavailable',
    `No hub can be reached at ${url} (${shown}). Make sure that nats-server runs there and that this machine may connect to it.`,
    { cause: error },
  )
}

function causeOf(error: Error): string {
  const { cause } = error
  return cause instanceof Error ? `${cause.message} ${(cause as NodeJS.ErrnoException).code ?? ''}` : ''
}
