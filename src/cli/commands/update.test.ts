import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ReleaseServer, releaseServer } from '../../main/update/testing/release-server.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture
let server: ReleaseServer

beforeEach(async () => {
  cli = await createCliFixture()
  server = await releaseServer()
})
afterEach(async () => {
  await server.close()
  await cli.close()
})

/** Prepares an installation that names this publisher. */
async function installed(): Promise<{ readonly sampleDirectory: string }> {
  const resources = join(cli.root, 'opt/pulseward/resources/command/resources')
  await mkdir(join(resources, 'sample'), { recursive: true })
  const source = { feed: `${server.url}/feed.json`, keys: [server.key] }
  await writeFile(join(resources, 'updates.json'), JSON.stringify(source))
  return { sampleDirectory: join(resources, 'sample') }
}

it('shows what is known, checks when told to, shows what is new, and leaves an install that needs root to the operator', async () => {
  const options = await installed()
  server.publish({ releases: [server.release('1.3.0', Buffer.from('new'), 'archive')] })
  const before = await cli.run(['update'], options)
  expect(before).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Not checked for updates yet'),
  })
  expect(server.asked).toEqual([])

  const { stdout } = await cli.run(['update', 'check'], options)
  expect(stdout).toContain('Pulseward 1.3.0 is available; you run 1.2.3.')
  expect(stdout).toContain('- What 1.3.0 brings')

  const answer = await cli.run(['update', 'install', '--json'], options)
  expect(JSON.parse(answer.stdout)).toMatchObject({
    version: '1.3.0',
    installed: false,
    command: [
      'tar',
      '-xzf',
      join(cli.dataDirectory, 'updates/pulseward-1.3.0.archive'),
      '-C',
      join(cli.root, 'opt'),
    ],
  })
})

it('fails if the feed is not valid', async () => {
  const options = await installed()
  server.publish({ releases: [] })
  server.answers.set('/feed.json', '{}')
  const { exitCode, stderr } = await cli.run(['update', 'check'], options)
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain('feed.json is not an update feed')
  expect((await cli.run(['update'], options)).stdout).toContain('The last check for updates failed')
})

it('says that a source checkout has no update source', async () => {
  expect((await cli.run(['update'])).stdout).toContain('This build has no update source')
  expect((await cli.run(['update', 'rollback'])).stderr).toContain('There is no update to roll back')
})
