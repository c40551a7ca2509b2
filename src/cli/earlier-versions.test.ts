import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * The data folder of each released version, as that version wrote it, with its workspace. They stay here, and every later version must open
 * them. Add another with each release whose ledger or settings look different from all before.
 */
const releases = join(import.meta.dirname, '../main/ledger/testing/releases')
const versions = await readdir(releases)

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

async function json(...args: string[]) {
  const { stdout, exitCode } = await cli.run([...args, '--json'])
  return { exitCode, document: JSON.parse(stdout) }
}

it.each(versions)('opens the data of %s: verdicts, score, approval and settings', async (version) => {
  const directory = join(cli.root, 'job')
  await cp(join(releases, version, 'job'), directory, { recursive: true })
  await cp(join(releases, version, 'data'), cli.dataDirectory, { recursive: true })
  // The only value that depends on the machine.
  const registered = join(cli.dataDirectory, 'workspaces/job-80fbcc/workspace.json')
  const document = JSON.parse(await readFile(registered, 'utf8'))
  await writeFile(registered, JSON.stringify({ ...document, path: directory }))

  const { lifetime } = (await json('score')).document
  expect(lifetime).toMatchObject({ verified: 1, failed: 3, contradictions: 2 })
  const [workspace] = (await json('list')).document.workspaces
  expect(workspace).toMatchObject({ id: 'job-80fbcc', name: 'job' })
  const { document: findings } = await json('doctor')
  expect(findings.checks.filter(({ status }: { status: string }) => status === 'error')).toEqual([])
  const { document: found } = await json('interventions')
  expect(found.events.length).toBeGreaterThan(0)
  expect(JSON.parse(await readFile(join(cli.dataDirectory, 'settings.json'), 'utf8'))).toMatchObject({
    theme: 'dark',
    maxConcurrentCycles: 3,
  })
  expect((await readdir(cli.dataDirectory)).filter((name) => name.includes('.corrupt-'))).toEqual([])
})

it('explains that a newer version wrote the data, changes nothing, and is restored from a backup', async () => {
  await cli.write({
    'job/HEARTBEAT.md': '## Tasks\n\n- [ ] one | Write one.txt | required | verify: exists("one.txt")\n',
  })
  expect((await cli.run(['add', join(cli.root, 'job')])).exitCode).toBe(0)
  const { document: backup } = await json('backup')
  const mark = join(cli.dataDirectory, 'format.json')
  expect(JSON.parse(await readFile(mark, 'utf8'))).toEqual({ format: 1, version: '1.2.3' })

  // What a future version may leave: its format number, and files that this version cannot read.
  await writeFile(mark, '{"format": 2, "version": "9.0.0", "why": "everything is in one file"}')
  await writeFile(join(cli.dataDirectory, 'settings.json'), 'PWS2')
  const [id = ''] = await readdir(join(cli.dataDirectory, 'workspaces'))
  await writeFile(join(cli.dataDirectory, 'workspaces', id, 'workspace.json'), 'PWW2')
  const contents = async () => {
    const names = await readdir(cli.dataDirectory, { recursive: true, withFileTypes: true })
    const files = names
      .filter((each) => each.isFile() && each.name !== 'pulseward.log')
      .map((each) => join(each.parentPath, each.name))
    return Promise.all(files.sort().map(async (path) => [path, await readFile(path, 'base64')]))
  }
  const before = await contents()
  for (const args of [['list'], ['score'], ['status'], ['run', '--once'], ['add', join(cli.root, 'job')]]) {
    const { exitCode, stderr } = await cli.run(args)
    expect({ args, exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'was written by a newer Pulseward (9.0.0, format 2); this one reads format 1. Install that version',
      ),
    })
  }
  expect((await json('doctor')).document.checks).toContainEqual(
    expect.objectContaining({
      name: 'data folder',
      status: 'error',
      message: expect.stringContaining('9.0.0'),
    }),
  )
  expect(await contents()).toEqual(before)

  expect((await cli.run(['backup', 'restore', backup.name])).exitCode).toBe(0)
  expect((await json('list')).document.workspaces).toHaveLength(1)
})

it('ignores a damaged format mark, and sets it aside', async () => {
  await cli.write({ 'data/format.json': '{"format": ' })
  expect((await cli.run(['list'])).exitCode).toBe(0)
  expect(JSON.parse(await readFile(join(cli.dataDirectory, 'format.json'), 'utf8'))).toMatchObject({
    format: 1,
  })
  expect(
    (await readdir(cli.dataDirectory)).filter((name) => name.startsWith('format.json.corrupt-')),
  ).toHaveLength(1)
})
