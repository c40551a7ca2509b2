import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'before/HEARTBEAT.md': '## Tasks\n\n- [ ] write | Write it | required | verify: exists("it.txt")\n',
    'before/pulseward.toml': `[agent]\nid = "a"\ncommand = ["sh", "-c", "echo it > it.txt"]\nsandbox = "off"\n`,
  })
})

afterEach(() => cli.close())

const answerOf = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await cli.run([...args, '--json'])
  expect(exitCode, stderr).toBe(0)
  return JSON.parse(stdout)
}

it('keeps score, record and approval in the new folder', async () => {
  const { id } = await answerOf('add', 'before', '--trust')
  await cli.run(['run', '--once'])
  const { score } = await answerOf('score')
  expect(score).toBeGreaterThan(0)
  await rename(join(cli.root, 'before'), join(cli.root, 'after'))
  expect(await answerOf('locate', 'after')).toMatchObject({
    id,
    path: join(cli.root, 'after'),
    trust: 'approved',
  })
  expect(await answerOf('score', '--workspace', 'after')).toMatchObject({ score })
  const { exitCode, stdout } = await cli.run(['run', '--once', '--workspace', 'after'])
  expect(exitCode, stdout).toBe(0)
  expect(await answerOf('list')).toMatchObject({ workspaces: [{ id, path: join(cli.root, 'after') }] })
})

it('refuses while the folder is where it was, and says which are missing where several are', async () => {
  await cli.write({ 'other/HEARTBEAT.md': '## Tasks\n', 'new/HEARTBEAT.md': '## Tasks\n' })
  await answerOf('add', 'before')
  await answerOf('add', 'other')
  expect(await cli.run(['locate', 'new'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('are where they were'),
  })
  expect(await cli.run(['locate', 'new', '--workspace', 'other'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('other is still there'),
  })
  for (const name of ['before', 'other']) await rename(join(cli.root, name), join(cli.root, `${name}-away`))
  expect(await cli.run(['locate', 'new'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/Several folders are missing.*before-.*other-/),
  })
})
