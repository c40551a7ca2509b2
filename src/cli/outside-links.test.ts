import { execFileSync } from 'node:child_process'
import { lstat, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { type Attempt, agentScript, attemptsOf, commitAll, firstAttempt } from './testing/rigged-run.ts'

/*
 * An agent puts links in its workspace that lead to the operator's files. Following them reads the secret (each test shows that first).
 * Pulseward neither reads, records, prompts nor writes through them, and tells the operator.
 */

const SECRET = 'secret-of-the-operator-4711'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({ 'home/key': `${SECRET}\n`, 'home/profile': 'as it was\n' })
})
afterEach(() => cli.close())

interface Scene {
  readonly agent: string
  readonly hint?: string
  readonly settings?: string
  readonly report?: Readonly<Record<string, unknown>>
}

/** Runs one heartbeat of an agent that also stores its prompt. */
async function play({
  agent,
  hint = 'exists("done.txt")',
  settings = '',
  report = {},
}: Scene): Promise<Attempt> {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | Do it | verify: ${hint} | max_attempts: 9\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"\n${settings}`,
    'p/notes.md': 'one\n',
    'p/sub/file.md': 'one\n',
    'agent.sh': agentScript(`cat > ../asked.txt\n${agent}`, {
      task_id: 'a',
      status: 'done',
      ...report,
    }).replace('cat > /dev/null\n', ''),
  })
  commitAll(join(cli.root, 'p'))
  return firstAttempt(cli)
}

/** Returns the files stored by Pulseward, and the last prompt, that have the secret. */
function leaks(): string {
  const found = (folder: string): string => {
    try {
      return execFileSync('grep', ['-rl', SECRET, folder], { cwd: cli.root, encoding: 'utf8' })
    } catch {
      return ''
    }
  }
  // The ledger's older segments and contents are compressed.
  const packed = execFileSync('sh', ['-c', `find data -name '*.gz' -exec zgrep -l ${SECRET} {} + || true`], {
    cwd: cli.root,
    encoding: 'utf8',
  })
  return found('data') + found('asked.txt') + packed
}

async function status(): Promise<{ needs: { kind: string; reason: string }[]; open: { id: string }[] }> {
  return JSON.parse((await cli.run(['status', '--json', '--workspace', 'p'])).stdout)
}

const follows = (path: string): Promise<string> => readFile(join(cli.root, 'p', path), 'utf8')

describe('a contract that became a link out of the repository', () => {
  const AGENT = 'rm -f HEARTBEAT.md; ln -s ../home/key HEARTBEAT.md'

  it('is unreadable: never recorded or put into a prompt; its previous tasks keep running, and the operator is notified', async () => {
    await play({ agent: AGENT })
    expect(await follows('HEARTBEAT.md')).toContain(SECRET)
    const [second] = await attemptsOf(cli)
    expect(second).toMatchObject({ taskId: 'a', verdict: 'not_verified' })
    expect(leaks()).toBe('')
    const { needs, open } = await status()
    expect(open.map(({ id }) => id)).toEqual(['a'])
    expect(needs.map(({ kind }) => kind)).toContain('proposal')
  })

  it('is reported with the fix right after the attempt', async () => {
    await play({ agent: AGENT })
    const { needs } = await status()
    const told = needs.find(({ kind }) => kind === 'contract-unreadable')
    expect(told?.reason).toMatch(/leads out of the repository.*Replace the link with the file itself/)
  })

  it('is not written through: reverting replaces the link with the file, and leaves the link’s target unchanged', async () => {
    await play({ agent: AGENT })
    const { proposals } = JSON.parse((await cli.run(['proposals', '--json', '--workspace', 'p'])).stdout) as {
      proposals: { id: string }[]
    }
    for (const { id } of proposals)
      expect((await cli.run(['proposals', 'revert', id, '--workspace', 'p'])).stderr).toBe('')
    expect((await lstat(join(cli.root, 'p/HEARTBEAT.md'))).isSymbolicLink()).toBe(false)
    expect(await follows('HEARTBEAT.md')).toContain('- [ ] a | Do it')
    expect(await readFile(join(cli.root, 'home/key'), 'utf8')).toBe(`${SECRET}\n`)
  })

  it('is unreadable too if it links to a file that the repository hides', async () => {
    await cli.write({ 'p/.env': `KEY=${SECRET}\n`, 'p/.gitignore': '.env\n' })
    await play({ agent: 'rm -f HEARTBEAT.md; ln -s .env HEARTBEAT.md' })
    expect(await follows('HEARTBEAT.md')).toContain(SECRET)
    await attemptsOf(cli)
    expect(leaks()).toBe('')
  })
})

it('a configuration that became a link is neither recorded nor in effect, and the approved one stays in effect', async () => {
  await play({ agent: 'rm -f pulseward.toml; ln -s ../home/key pulseward.toml' })
  expect(await follows('pulseward.toml')).toContain(SECRET)
  expect(await attemptsOf(cli, 'p', [])).toMatchObject([{ taskId: 'a' }])
  expect(leaks()).toBe('')
  const trusted = await cli.run(['trust', 'p'])
  expect(trusted.exitCode).not.toBe(0)
  expect(trusted.stderr).toMatch(/leads out of the repository/)
})

it.each([
  ['a claimed file', 'ln -s ../home/key out.md', {}],
  ['a file in a folder', 'rm -r sub; ln -s ../home sub; : sub/key', {}],
  ['a file that a check reads', 'ln -s ../home/key out.md', { hint: 'contains("out.md", "secret")' }],
  [
    'a file that a probe reads',
    'ln -s ../home/key out.md',
    { hint: 'value == "x"', settings: '[probes.value]\nfile = "out.md"\nparse = "text"\n' },
  ],
  ['a file that was committed', 'rm notes.md; ln -s ../home/key notes.md', {}],
] as const)(
  '%s that leads out of the workspace is not read, and supports no claim',
  async (_what, agent, scene) => {
    const evidence = ['out.md:1-1 the work', 'sub/key:1-1', 'notes.md:1']
    await play({ agent, report: { files: ['out.md', 'sub/key'], evidence }, ...scene })
    const [again] = await attemptsOf(cli)
    expect(again?.verdict).not.toBe('verified')
    expect(leaks()).toBe('')
  },
)

it('does not undo through a folder that has become a link', async () => {
  const { attemptId } = await play({
    agent: 'echo two > sub/profile; echo two > sub/file.md; touch done.txt',
  })
  await rm(join(cli.root, 'p/sub'), { recursive: true })
  await symlink('../home', join(cli.root, 'p/sub'))
  const { stdout } = await cli.run(['undo', attemptId, '--workspace', 'p'])
  expect(stdout).toContain('sub/profile stays as it is')
  expect(await readFile(join(cli.root, 'home/profile'), 'utf8')).toBe('as it was\n')
  expect(await lstat(join(cli.root, 'home/file.md')).catch(() => null)).toBeNull()
})
