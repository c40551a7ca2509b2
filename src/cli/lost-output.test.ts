import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * When the reader of a command's output is gone: real processes, closed pipes and a full disk.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

/** An agent that claims a file which it never writes; the operator is notified on the host's stderr. */
const liar = `
for await (const _ of process.stdin);
const report = { task_id: 'write', status: 'done', files: ['made.txt'] }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`
const lies = {
  'lies/HEARTBEAT.md':
    '## Tasks\n- [ ] write | Write | verify: exists("made.txt") | max_attempts: 1\n- [ ] read | Read | verify: exists("made.txt")\n',
  'lies/agent.mjs': liar,
  'lies/pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\n`,
}

it('shuts a host down cleanly although the readers of its output are gone', async () => {
  const host = cli.start(['serve'])
  const ended = once(host, 'exit')
  await firstLine(host)
  host.stdout?.destroy()
  host.stderr?.destroy()
  expect((await cli.run(['token'])).exitCode).toBe(0)
  host.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  // It released the data folder although "Stopping …" could not be written.
  expect(existsSync(join(cli.dataDirectory, 'server.json'))).toBe(false)
  expect(existsSync(join(cli.dataDirectory, 'lock'))).toBe(false)
})

it('finishes a heartbeat even if its output has no reader', async () => {
  await cli.write(lies)
  const run = cli.start(['--workspace', 'lies', 'run', '--once', '--trust'])
  const ended = once(run, 'exit')
  run.stdout?.destroy()
  run.stderr?.destroy()
  expect(await ended).toEqual([1, null])
  const { stdout } = await cli.run(['status', '--json', '--workspace', 'lies'])
  expect(JSON.parse(stdout).counts).toMatchObject({ failed: 2 })
})

it.skipIf(!existsSync('/dev/full'))(
  'says why if its answer cannot be written, and exits with 3',
  async () => {
    const list = cli.start(['list'], { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] })
    const ended = once(list, 'exit')
    if (list.stderr === null) throw new Error('expected a pipe')
    const said = await textOf(list.stderr)
    expect(await ended).toEqual([3, null])
    expect(said).toMatch(/^pulseward: The answer cannot be written to standard output: ENOSPC.*\n$/)
  },
)
