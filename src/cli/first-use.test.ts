import { chmod, mkdir, readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tryMeans } from '../main/sandbox/find-means.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { attemptsOf, reportLines } from './testing/rigged-run.ts'

/* A compiler with no cache yet, in a read-only home: the verdict depends on the work, not on the cache. */

const { found } = await tryMeans(process.env)
let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    // Like go, it builds nothing without its cache.
    'bin/go':
      '#!/bin/sh\nmkdir -p ~/.cache/go-build/00 && echo built > ~/.cache/go-build/00/a && grep -q right main.go\n',
    'p/HEARTBEAT.md': '## Tasks\n- [ ] a | Make it right | verify: changed("main.go")\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "required"\n[gates]\ncommands = [["go", "build"]]\n',
    'p/main.go': 'wrong\n',
  })
  await chmod(join(cli.root, 'bin/go'), 0o755)
  await mkdir(join(cli.root, 'home'))
  vi.stubEnv('HOME', join(cli.root, 'home'))
  vi.stubEnv('PATH', `${join(cli.root, 'bin')}${delimiter}${process.env.PATH}`)
})
afterEach(() => cli.close())

it.skipIf(found !== null)('this machine has a sandbox', ({ skip }) => {
  skip('nothing here contains: a compiler that was never run was not tested')
})

it.skipIf(found === null).each([
  ['an honest agent is verified', 'right', 'verified'],
  ['a liar is not', 'otherwise', 'not_verified'],
])('if go was never run, %s', { timeout: 60_000 }, async (_, text, verdict) => {
  const report = reportLines({ task_id: 'a', status: 'done', files: ['main.go'] })
  await cli.write({ 'p/agent.sh': `cat > /dev/null\necho ${text} > main.go\n${report}\n` })
  const [attempt] = await attemptsOf(cli)
  expect(attempt).toMatchObject({ verdict })
  expect(
    await readdir(join(cli.root, 'home/.cache/go-build')),
    'what was built goes with who built it',
  ).toEqual([])
})
