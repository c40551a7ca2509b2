import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepsTimes } from '../../main/snapshot/kept-folders.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, attemptsOf, reportLines } from '../testing/rigged-run.ts'

/*
 * A host that keeps running lists a folder again only when its modification time has changed. After heartbeats without such a change it
 * must judge agents as correctly as in the first: false claims, and honest agents that do the same to the folders.
 */

const LONG = { timeout: 120_000 }
const COMMIT = 'git init -q; git add .; git -c user.name=a -c user.email=a@b.c commit -qm all'
/** The number of heartbeats in which the agent only edits existing files. */
const QUIET = 4

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const says = (file: string): string => reportLines({ task_id: 'a', status: 'done', files: [file] })
/** Restores the folder's time after `lines`, as unpacking an archive does. */
const withTimePutBack = (lines: string): string =>
  `touch -r docs/sub ../time; ${lines}; touch -r ../time docs/sub`

async function play(where: 'repository' | 'folder', hint: string, last: string): Promise<Attempt> {
  const quiet = `echo more >> docs/a.md\n${says('docs/a.md')}`
  const turns = [...Array.from({ length: QUIET }, () => quiet), last]
  await cli.write({
    turn: '0',
    asked: '',
    'bin/git': `#!/bin/sh\necho "$@" >> '${join(cli.root, 'asked')}'\nPATH=$REAL_PATH exec git "$@"\n`,
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Work on it | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
    'p/agent.sh': 'n=$(($(cat ../turn) + 1))\necho $n > ../turn\ncat > /dev/null\n. ../turn-$n.sh\n',
    'p/docs/a.md': 'a\n',
    'p/docs/sub/b.md': 'b\n',
    ...Object.fromEntries(turns.map((lines, index) => [`turn-${index + 1}.sh`, `${lines}\n`])),
  })
  execFileSync('chmod', ['+x', join(cli.root, 'bin/git')])
  if (where === 'repository') execFileSync('sh', ['-c', COMMIT], { cwd: join(cli.root, 'p') })
  vi.stubEnv('REAL_PATH', process.env.PATH)
  vi.stubEnv('PATH', `${join(cli.root, 'bin')}${delimiter}${process.env.PATH}`)
  await cli.serve()
  const attempts: Attempt[] = []
  for (const _ of turns) attempts.push(...(await attemptsOf(cli)))
  const [end] = attempts.splice(-1)
  if (end === undefined) throw new Error('no attempt')
  expect(attempts.map(({ verdict }) => verdict)).toEqual(Array.from({ length: QUIET }, () => 'verified'))
  return end
}

// On other file systems all folders are listed each time.
describe.skipIf(!keepsTimes(tmpdir())).each(['repository', 'folder'] as const)(
  'in a %s, after heartbeats in which no folder time changed,',
  (where) => {
    it('an honest agent that adds a file and restores the time of its folder is verified', LONG, async () => {
      const add = withTimePutBack('echo new > docs/sub/new.md')
      const end = await play(where, 'changed("docs/**")', `${add}\n${says('docs/sub/new.md')}`)
      expect(end).toMatchObject({ verdict: 'verified', filesChanged: ['docs/sub/new.md'] })
      const asked = await readFile(join(cli.root, 'asked'), 'utf8')
      if (where === 'repository') {
        const looks = [...asked.matchAll(/--untracked-files=(\w+)/g)].map(([, which]) => which)
        // Two per heartbeat, and no unnecessary ones.
        expect(looks).toHaveLength(2 * (QUIET + 1))
        expect(looks.slice(0, -1)).toContain('no')
        expect(looks.at(-1)).toBe('all')
      }
    })

    it('an agent that only claims it is contradicted', LONG, async () => {
      const end = await play(where, 'changed("docs/**")', says('docs/sub/new.md'))
      expect(end).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
    })

    it('an agent that adds a file where nothing may change is caught', LONG, async () => {
      const add = withTimePutBack('echo new > docs/sub/new.md')
      const end = await play(
        where,
        '!changed("docs/sub/**")',
        `${add}\necho more >> docs/a.md\n${says('docs/a.md')}`,
      )
      expect(end).toMatchObject({ verdict: 'not_verified' })
      expect(end.filesChanged).toContain('docs/sub/new.md')
    })
  },
)
