import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SUPERVISOR_VARIABLE } from '../core/vocabulary/supervisor-variable.ts'
import { statusAtOnce } from './status-at-once.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

/**
 * Returns what the quick `status` prints; null if it leaves the answer to the full program. Has its own environment, because a test may
 * itself be supervised.
 */
async function atOnce(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string | null> {
  const written: string[] = []
  const stream = { isTTY: false, write: (text: string) => written.push(text) }
  const isAnswered = await statusAtOnce({
    args,
    environment: { PULSEWARD_HOME: cli.dataDirectory, ...environment },
    currentDirectory: cli.root,
    streams: { stdout: stream, stderr: stream },
    // Long, because a host on a busy machine is slow, not silent.
    answerMs: 60_000,
  })
  if (!isAnswered) expect(written).toEqual([])
  return isAnswered ? written.join('') : null
}

describe('the quick `status`', () => {
  it('prints the same as the full program, for the named, the current or the only workspace', async () => {
    const host = await cli.serve('one')
    for (const args of [
      ['status'],
      ['status', '--json'],
      ['--json', '--workspace', host.id('one'), 'status'],
      ['status', '--workspace', host.folder('one'), '--data-dir', cli.dataDirectory],
    ]) {
      const { stdout, exitCode } = await cli.run(args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: await atOnce(args) })
    }
  })

  it.each([
    ['another command', ['pause']],
    ['help', ['status', '--help']],
    ['an extra word', ['status', 'now']],
    ['an unknown option', ['status', '--jsn']],
    ['an option without its value', ['status', '--workspace']],
    ['an option instead of a value', ['status', '--workspace', '--json']],
    ['an unknown workspace', ['status', '--workspace', 'nowhere']],
  ])('leaves %s to the full program', async (_what, args) => {
    await cli.serve('one')
    expect(await atOnce(args)).toBeNull()
  })

  it('leaves the choice among several workspaces to the full program', async () => {
    await cli.serve('one', 'two')
    expect(await atOnce(['status'])).toBeNull()
  })

  it('leaves it to the full program if no host runs', async () => {
    expect(await atOnce(['status'])).toBeNull()
  })

  it('leaves a call from an agent’s process to the full program, which refuses it', async () => {
    await cli.serve('one')
    expect(await atOnce(['status'], { [SUPERVISOR_VARIABLE]: 'some folder' })).toBeNull()
  })

  it.each([
    ['refuses', 403, '{"code":"FORBIDDEN"}'],
    ['is another program', 200, 'hello'],
    ['sends an unexpected answer', 200, '{}'],
  ])('leaves it to the full program if whatever listens %s', async (_what, status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const address = { port, token: 'token', pid: process.pid }
    await cli.write({ 'data/server.json': JSON.stringify(address) })
    try {
      expect(await atOnce(['status'])).toBeNull()
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
