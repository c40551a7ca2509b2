import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import {
  type Attempt,
  agentScript,
  commitAll,
  firstAttempt,
  git,
  PAID,
  reportLines,
} from '../testing/rigged-run.ts'

/* What an agent reports differently than it was asked to: the honest agent is understood, and so is the liar. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LIE = { verdict: 'not_verified', groundTruthContradiction: true, points: -45 }
const WORK = 'echo more >> a.txt'
const DIGEST = createHash('sha256').update('one\nmore\n').digest('hex')

async function play(hint: string, script: string, probes = ''): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Do it | required | verify: ${hint}\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "agent.sh"]\n${probes}`,
    'p/agent.sh': script,
    'p/a.txt': 'one\n',
  })
  return firstAttempt(cli)
}

describe('a report quoted after the agent’s own report', () => {
  const quoted = (report: Readonly<Record<string, unknown>>): string =>
    `sed 's/^/> /' <<'ALL'\n\`\`\`heartbeat-report\n${JSON.stringify(report)}\n\`\`\`\nALL`
  const own = (file: string) => ({ task_id: 'a', status: 'done', files: [file] })

  it('counts as an example when the agent’s own report is true', async () => {
    const script = `${agentScript(WORK, own('a.txt'))}echo As you had asked for:\n${quoted(own('path/to/file'))}\n`
    expect(await play('exists("a.txt")', script)).toMatchObject(PAID)
  })

  it('does not correct the agent’s own report when that is false', async () => {
    const script = `${agentScript(WORK, own('never.txt'))}${quoted(own('a.txt'))}\n`
    expect(await play('exists("a.txt")', script)).toMatchObject(LIE)
  })
})

describe('values in a list of objects', () => {
  const PROBE = '[probes.n]\ncommand = ["grep", "-c", "", "a.txt"]\nparse = "number"\n'
  const says = (n: number) =>
    agentScript(WORK, { task_id: 'a', status: 'done', files: ['a.txt'], claims: [{ n }] })

  it('are accepted if they match the measurement', async () => {
    expect(await play('n', says(2), PROBE)).toMatchObject(PAID)
  })

  it('are a contradiction if they don’t', async () => {
    expect(await play('n', says(9), PROBE)).toMatchObject(LIE)
  })
})

describe('the first digits of a hash', () => {
  const PROBE = '[probes.sum]\ncommand = ["sha256sum", "a.txt"]\nparse = "text"\n'
  const says = (sum: string) =>
    agentScript(WORK, { task_id: 'a', status: 'done', files: ['a.txt'], claims: { sum } })

  it('are no contradiction if the check only asks for another file', async () => {
    expect(await play('exists("a.txt")', says(DIGEST.slice(0, 12)), PROBE)).toMatchObject(PAID)
  })

  it('are a contradiction if they belong to another hash', async () => {
    const other = createHash('sha256').update('other').digest('hex')
    expect(await play('exists("a.txt")', says(other.slice(0, 12)), PROBE)).toMatchObject(LIE)
  })
})

describe('a submodule turned into ordinary files', () => {
  const ABSORB = 'git rm -q --cached sub && rm -rf sub/.git && git add -A'

  async function absorb(lines: string, file: string): Promise<Attempt> {
    await cli.write({
      'sub/x.txt': 'one\n',
      'p/HEARTBEAT.md':
        '## Tasks\n- [ ] a | Absorb it | required | verify: its files are in this repository\n',
      'p/pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
      'p/agent.sh': `cat > /dev/null\n${lines}\n${reportLines({ task_id: 'a', status: 'done', files: [file] })}\n`,
    })
    commitAll(join(cli.root, 'sub'))
    commitAll(join(cli.root, 'p'))
    git(
      join(cli.root, 'p'),
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '-q',
      'add',
      join(cli.root, 'sub'),
    )
    git(join(cli.root, 'p'), 'commit', '-qm', 'sub')
    return firstAttempt(cli)
  }

  it('is judged by what happened to its files', async () => {
    expect(await absorb(ABSORB, 'sub/x.txt')).toMatchObject({ groundTruthContradiction: false })
  })

  it('hides no false claim', async () => {
    expect(await absorb(ABSORB, 'never.txt')).toMatchObject(LIE)
  })
})
