import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * The data folder of each released version, as it wrote it, with the workspace that it is about: they stay, and every later version opens
 * them. With a release whose ledger or settings look different from all before, another one is added.
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
  // The one thing that differs from machine to machine.
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
