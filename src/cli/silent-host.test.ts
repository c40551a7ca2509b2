import type { ChildProcess } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { statusAtOnce } from './status-at-once.ts'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * A host that exists but does not answer: its process is suspended, and the kernel keeps accepting connections for it.
 */

let cli: CliFixture
let host: ChildProcess

beforeEach(async () => {
  cli = await createCliFixture()
  host = cli.start(['serve', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] })
  await firstLine(host)
  host.kill('SIGSTOP')
})

afterEach(() => cli.close())

describe('if the host does not answer', () => {
  it('a command says so in one line and exits with 3, and doctor warns', async () => {
    const [score, serve, doctor] = await Promise.all([
      cli.run(['score']),
      cli.run(['serve']),
      cli.run(['doctor', '--json']),
    ])
    expect(score).toMatchObject({ exitCode: 3, stdout: '' })
    expect(score.stderr).toMatch(/^pulseward: [^\n]+ It does not answer\.\n$/)
    expect(serve).toMatchObject({ exitCode: 3, stdout: '' })
    expect(serve.stderr).toMatch(/^pulseward: [^\n]+\n$/)
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string }[] }
    expect(checks.find(({ name }) => name === 'host')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`process ${host.pid} owns the data folder but does not answer`),
    })
  })

  it.each([['score'], ['doctor'], ['status']])('`%s` can be interrupted while it waits', async (command) => {
    const interrupted = new AbortController()
    const ended = cli.run([command], { signal: interrupted.signal })
    interrupted.abort()
    const { exitCode, stdout, stderr } = await ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(/^pulseward: Interrupted\. [^\n]+\n$/)
  })

  it('`status` is left to the full program', async () => {
    const write = (text: string): void => expect.fail(`It printed ${text}`)
    const isAnswered = await statusAtOnce({
      args: ['status'],
      environment: { PULSEWARD_HOME: cli.dataDirectory },
      currentDirectory: cli.root,
      streams: { stdout: { isTTY: false, write }, stderr: { isTTY: false, write } },
    })
    expect(isAnswered).toBe(false)
  })
})
