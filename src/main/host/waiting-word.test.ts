import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryHost } from '../testing/temporary-host.ts'

/** An agent that reports that it has started, and works forever. */
const AGENT = "require('node:fs').writeFileSync('at-work', ''); setInterval(() => {}, 1e6)"

/** Sends a request that needs the operator's confirmation, and writes the answer to a file. */
const ASKER = `
const [url, token, answerPath] = process.argv.slice(1)
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
fetch(url + '/api/score/feedback', { method: 'POST', headers, body: '{"feedback":"up"}' })
  .then((answer) => answer.text(), String)
  .then((text) => require('node:fs').writeFileSync(answerPath, text))
`

/** Starts the asker from a shell that has exited by then, so that its request can't be traced to any terminal, not even the tests' own. */
function askWithoutTerminal(...args: readonly string[]): void {
  spawn('sh', ['-c', 'setsid "$@" &', 'sh', process.execPath, '-e', ASKER, ...args], { stdio: 'ignore' })
}

it.skipIf(process.platform !== 'linux')(
  'a stopping host does not wait for the operator’s confirmation, but refuses the request',
  async () => {
    const configuration = `[agent]\ncommand = ${JSON.stringify([process.execPath, '-e', AGENT])}\nsandbox = "off"\n`
    const host = await temporaryHost({ inbox: { configuration } })
    const answerPath = join(host.root, 'answer')
    // Connects a viewer, so that the operator is asked.
    await host.client.events({})
    await host.client.heartbeat.run({ wait: false })
    await expect.poll(() => existsSync(join(host.folder('inbox'), 'at-work'))).toBe(true)
    askWithoutTerminal(host.server.url, host.server.token, answerPath)
    await expect.poll(() => host.client.permissions.list({})).toHaveLength(1)
    await host.stop()
    await expect
      .poll(() => readFile(answerPath, 'utf8').catch(() => ''))
      .toContain('so it needs your confirmation')
    expect(await host.client.permissions.list({})).toEqual([])
    await host.remove()
  },
)
