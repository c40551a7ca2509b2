import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

const CONTRACT = '## Tasks\n- [ ] a | Write a | required | verify: exists("a")\n'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'inbox/HEARTBEAT.md': CONTRACT,
    'inbox/pulseward.toml': '[agent]\nid = "own"\nkind = "command"\ncommand = ["sh", "-c", "exit 1"]\n',
  })
})
afterEach(() => cli.close())

it('a contract saved as UTF-16 runs nothing, reports it everywhere, and forgets no task', async () => {
  const ask = (...args: string[]) => cli.run([...args, '--workspace', 'inbox'])
  expect((await cli.run(['add', 'inbox', '--trust'])).exitCode).toBe(0)
  const before = await ask('run', '--once', '--json')
  expect(JSON.parse(before.stdout).attempts).toMatchObject([{ taskId: 'a' }])

  const contract = join(cli.root, 'inbox/HEARTBEAT.md')
  await writeFile(contract, `\ufeff${CONTRACT}`, 'utf16le')
  const run = await ask('run', '--once')
  expect(run.exitCode).toBe(2)
  expect(run.stderr).toMatch(/saved as UTF-16, so no tasks can be read\. Save it as UTF-8\.\n$/)
  const { needs } = JSON.parse((await ask('status', '--json')).stdout)
  expect(needs).toMatchObject([
    { kind: 'contract-unreadable', reason: expect.stringContaining('Save it as UTF-8.') },
  ])
  expect((await ask('doctor')).stdout).toContain('Save it as UTF-8.')
  expect((await ask('check')).stdout).toContain('Save it as UTF-8')

  await writeFile(contract, CONTRACT)
  const after = JSON.parse((await ask('status', '--json')).stdout)
  expect(after.needs).toEqual([])
  expect(after.open).toMatchObject([{ id: 'a', attempts: 1 }])
})
