import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * Two commands at the same time: the second one uses the first one's host, which must not take the second one's heartbeat with it when the
 * first is done. Uses real processes, because the first one's process outlives its answer.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  for (const name of ['first', 'second'])
    await cli.write({
      [`${name}/HEARTBEAT.md`]: '## Tasks\n- [ ] made | Make it | required | verify: exists("made.txt")\n',
      [`${name}/pulseward.toml`]: '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
      [`${name}/agent.sh`]:
        'echo > began\nuntil [ -e ../go-on-NAME ]; do sleep 0.05; done\necho > made.txt\n'.replace(
          'NAME',
          name,
        ),
    })
})

afterEach(() => cli.close())

/** Starts a heartbeat of this workspace in a separate process, and resolves once its agent runs. */
async function start(name: string): Promise<ChildProcess> {
  const child = cli.start(['run', '--once', '--trust', '--workspace', name])
  await expect.poll(() => existsSync(join(cli.root, name, 'began')), { timeout: 20_000 }).toBe(true)
  return child
}

const goOn = (name: string): Promise<void> => cli.write({ [`go-on-${name}`]: '' })

const endOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

it('answers when its own heartbeat is over, and ends only after the one that another command requested', async () => {
  const first = await start('first')
  const said = textOf(first.stderr as Readable)
  const answer = firstLine(first)
  const ended = Promise.all([endOf(first), answer])
  const second = await start('second')
  const report = textOf(second.stdout as Readable)
  await goOn('first')
  expect(await answer).toBe('Heartbeat 1: 1 attempt')
  // Its host still answers.
  expect((await cli.run(['status', '--workspace', 'second'])).stdout).toContain('running')
  await goOn('second')
  expect(await endOf(second)).toBe(0)
  expect(await report).toContain('✓ made')
  expect(await ended).toEqual([0, 'Heartbeat 1: 1 attempt'])
  expect(await said).toContain('another command asked this one for a heartbeat')
  expect(existsSync(join(cli.dataDirectory, 'lock'))).toBe(false)
})

it('ends immediately when it is interrupted, and records which heartbeat it ended', async () => {
  const first = await start('first')
  const answer = firstLine(first)
  const second = await start('second')
  const report = textOf(second.stdout as Readable)
  await goOn('first')
  await answer
  const ended = Promise.all([endOf(first), endOf(second)])
  first.kill('SIGINT')
  expect(await ended).toEqual([0, 3])
  expect(await report).toContain('because the supervisor stopped')
})
