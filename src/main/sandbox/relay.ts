import type { ProcessStart } from '../ports/containment.ts'
import { COMPANION } from '../process/contained-beginning.ts'
import { ownNode } from '../process/own-node.ts'

/*
 * A program with an allow list of hosts has no network except for one socket in the file system, where a proxy listens that lets these
 * hosts through. Programs can only use proxies with an address and port, so a relay in the sandbox listens on its loopback and forwards to
 * the socket. It starts the program and ends with it.
 */

/**
 * Plain Node.js without imports, because it is passed as text: argv is the socket, the hosts that are reached without a proxy, whether to
 * pass on one more file descriptor, the program and its arguments.
 */
const RELAY = `
const [, socket, straight, isAccompanied, program, ...args] = process.argv
const relay = require('net').createServer({ allowHalfOpen: true }, (inner) => {
  const outer = require('net').connect({ path: socket, allowHalfOpen: true })
  for (const [one, other] of [[inner, outer], [outer, inner]]) one.on('error', () => other.destroy())
  inner.pipe(outer).pipe(inner)
})
relay.listen(0, '127.0.0.1', () => {
  const address = 'http://127.0.0.1:' + relay.address().port
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', npm_config_proxy: address, npm_config_https_proxy: address }
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) env[name] = env[name.toLowerCase()] = address
  env.NO_PROXY = env.no_proxy = straight
  delete env.ELECTRON_RUN_AS_NODE
  const child = require('child_process').spawn(program, args, { stdio: isAccompanied === 'true' ? [0, 1, 2, 'ignore', ${COMPANION}] : 'inherit', env })
  // The program gets these signals itself; the relay outlives it, to report how it ended.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  child.on('error', (error) => { console.error(error.message); process.exit(127) })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (require('os').constants.signals[signal] ?? 0)))
})
relay.on('error', (error) => { console.error('no relay: ' + error.message); process.exit(126) })
`

/** This machine, as seen from the sandbox: what listens there is the program's own, unless the list has the name. */
const OWN_HOSTS = ['localhost', '127.0.0.1', '::1']

/** Returns the command that runs `command` behind a relay to the proxy at `socket`, which lets `hosts` through. */
export function relayed(
  { command, isAccompanied = false }: Pick<ProcessStart, 'command' | 'isAccompanied'>,
  { socket, hosts }: { readonly socket: string; readonly hosts: readonly string[] },
): readonly string[] {
  const { program, env } = ownNode()
  const names = new Set(
    hosts.map((host) => host.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([^:]+):\d+$/, '$1')),
  )
  const straight = OWN_HOSTS.filter((own) => !names.has(own))
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const start = variables.length === 0 ? [] : ['/usr/bin/env', ...variables]
  return [...start, program, '-e', RELAY, socket, straight.join(','), String(isAccompanied), ...command]
}
