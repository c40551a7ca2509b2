import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { type ContainedWorld, containedWorld, meansHere } from '../sandbox/testing/contained-world.ts'
import { runProgram } from './program.ts'

/* A check that asks a remote with the operator's login, in a repository whose settings an agent wrote. */

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const LOGIN = `Basic ${Buffer.from('me:secret').toString('base64')}`
const means = await meansHere()

it.skipIf(means.length > 0)('has a sandbox to test with', ({ skip }) => {
  skip('This machine has no sandbox.')
})

describe.each(means)('a check that runs git, sandboxed by %s,', (_name, found) => {
  let world: ContainedWorld
  let server: Server
  /** Whether the remote was asked with the login. */
  let wasLoggedIn: boolean
  let ran: string

  beforeEach(async () => {
    world = containedWorld(found)
    wasLoggedIn = false
    // Answers as a repository that is only files does, after a login.
    server = createServer((request, response) => {
      const isLoggedIn = request.headers.authorization === LOGIN
      wasLoggedIn ||= isLoggedIn
      if (!isLoggedIn) response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      else if (request.url?.includes('/info/refs')) response.end(`${COMMIT}\trefs/heads/main\n`)
      else response.end('ref: refs/heads/main\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    vi.stubEnv('HOME', world.home)
    vi.stubEnv('XDG_CONFIG_HOME', undefined)
    writeFileSync(join(world.home, '.git-credentials'), `http://me:secret@127.0.0.1:${port}\n`)
    git('config', '--file', join(world.home, '.gitconfig'), 'credential.helper', 'store')
    git('remote', 'add', 'origin', `http://127.0.0.1:${port}/x.git`)
    ran = join(world.workspace, 'ran')
    const evil = `!cat ~/.git-credentials > ${ran}`
    git('config', 'credential.helper', evil)
    git('config', `credential.http://127.0.0.1:${port}.helper`, evil)
    git('config', 'core.askPass', `cat ~/.git-credentials > ${ran}; echo`)
    git('config', 'core.fsmonitor', `cat ~/.git-credentials > ${ran}; false`)
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    world.remove()
  })

  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: world.workspace })
  const check = (...words: string[]): Promise<ProcessRun> =>
    runProgram(
      { directory: world.workspace, clock: systemClock, contain: world.containing({}) },
      ['/usr/bin/git', ...words],
      { timeoutMs: 60_000, signal: new AbortController().signal },
    )

  it('asks a remote with the login, and runs nothing that the repository names', async () => {
    const run = await check('ls-remote', 'origin')
    expect([run.exitCode, run.stdout.text], run.stderr.text).toEqual([
      0,
      expect.stringContaining(`${COMMIT}\trefs/heads/main`),
    ])
    expect([wasLoggedIn, existsSync(ran)]).toEqual([true, false])
  })

  it.each([[['fetch', 'origin']], [['-C', '.', 'ls-remote', 'origin']], [['status']]])(
    'has no login for git %j, whatever the repository runs',
    async (words) => {
      await check(...words)
      expect(wasLoggedIn).toBe(false)
      if (existsSync(ran)) expect(readFileSync(ran, 'utf8')).not.toContain('secret')
    },
  )
})
