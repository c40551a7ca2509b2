import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, git, PAID } from '../testing/rigged-run.ts'

/* Other line endings are other bytes on disk, even if git stores one form for both and so calls the file clean. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const CRLF = 'one\r\ntwo\r\n'
const LF = 'one\ntwo\n'

interface Scene {
  readonly held: string
  readonly agent: string
  readonly hint?: string
}

async function play({ held, agent, hint = 'changed("a.txt")' }: Scene): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Convert the line ends of a.txt | verify: ${hint}\n`,
    'p/pulseward.toml': '[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n',
    'agent.sh': agentScript(agent, { task_id: 'a', status: 'done', files: ['a.txt'] }),
    'p/.gitattributes': '* text=auto\n',
    'p/a.txt': held,
    'p/b.txt': held,
  })
  commitAll(join(cli.root, 'p'))
  git(join(cli.root, 'p'), 'add', '--renormalize', '.')
  return firstAttempt(cli)
}

const TO_LF = String.raw`tr -d '\r' < a.txt > t && mv t a.txt`
const TO_CRLF = String.raw`sed 's/$/\r/' a.txt > t && mv t a.txt`
const STAGE = 'git add a.txt'
const COMMIT = `${STAGE}; git -c user.name=a -c user.email=a@example.invalid commit -qm convert`

const WAYS: readonly (readonly [string, Scene])[] = [
  ['to LF', { held: CRLF, agent: TO_LF }],
  ['to LF, staged', { held: CRLF, agent: `${TO_LF}; ${STAGE}` }],
  ['to LF, committed', { held: CRLF, agent: `${TO_LF}; ${COMMIT}` }],
  ['to CRLF', { held: LF, agent: TO_CRLF }],
  ['to CRLF, staged', { held: LF, agent: `${TO_CRLF}; ${STAGE}` }],
  [
    'to LF by changing a Git setting',
    { held: CRLF, agent: `git config core.autocrlf input; ${TO_LF}; ${STAGE}` },
  ],
  [
    'to CRLF by changing a Git setting',
    { held: LF, agent: `git config core.autocrlf true; ${TO_CRLF}; ${STAGE}` },
  ],
  [
    'to CRLF by adding a .gitattributes rule',
    {
      held: LF,
      agent: `echo '*.txt text eol=crlf' > .gitattributes; rm a.txt; git checkout -q a.txt; git add .`,
    },
  ],
]

describe('converting line endings counts as changing the file', () => {
  it.each(WAYS)('%s', async (_how, scene) => {
    expect(await play(scene)).toMatchObject({ ...PAID, interventions: [] })
  })

  it('even if no check measures it', async () => {
    const scene = { held: CRLF, agent: `${TO_LF}; ${STAGE}`, hint: 'the ends are converted' }
    expect(await play(scene)).toMatchObject({ ...PAID, interventions: [] })
  })
})

describe('an agent that claims to have converted them', () => {
  it.each([
    ['and did nothing', 'true'],
    ['and staged the file', STAGE],
    ['and rewrote it unchanged', `cp a.txt t; mv t a.txt; ${STAGE}`],
    ['and converted it and back', `cp a.txt s; ${TO_LF}; ${STAGE}; mv s a.txt; ${STAGE}`],
    ['and converted another file', `${TO_LF.replaceAll('a.txt', 'b.txt')}; git add b.txt`],
  ])('%s, is not verified', async (_how, agent) => {
    expect(await play({ held: CRLF, agent })).toMatchObject({ verdict: 'not_verified' })
  })

  it('and did nothing is a contradiction, even if no check measures it', async () => {
    const scene = { held: CRLF, agent: 'true', hint: 'the ends are converted' }
    expect(await play(scene)).toMatchObject({ verdict: 'not_verified', groundTruthContradiction: true })
  })
})

it.each([
  ['only converted', TO_LF],
  ['written to', `${TO_LF}; echo three >> a.txt`],
])('a file that was %s is restored with its original line endings', async (_how, agent) => {
  const { attemptId } = await play({ held: CRLF, agent })
  await cli.run(['undo', attemptId, '--json', '--workspace', 'p'])
  expect(await readFile(join(cli.root, 'p/a.txt'), 'utf8')).toBe(CRLF)
})
