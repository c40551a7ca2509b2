import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'

/*
 * Every row of the design's verdict table, tested from the outside: a fresh folder with a contract, a configuration and a small shell
 * script as the agent, one `run --once --trust --json`, and what it prints.
 */

interface Case {
  /** The agent's shell script; `report JSON` prints a report block. */
  readonly agent: string
  /** Everything after the description on the task's line. */
  readonly task?: string
  /** Further lines of `pulseward.toml`. */
  readonly toml?: string
  /** Replaces the shell script. */
  readonly command?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly git?: boolean
  readonly expected: Expected
}

interface Expected {
  readonly outcome: 'completed' | 'timeout' | 'error' | 'denied' | 'unavailable'
  readonly verdict: 'verified' | 'not_verified' | 'unclear' | null
  readonly contradiction?: boolean
  readonly points: number
  readonly fault: 'agent' | 'environment' | 'contract' | null
  readonly exitCode: 0 | 1 | 3
  /** Matches one of the reasons. */
  readonly reason?: RegExp
}

const verified = { outcome: 'completed', verdict: 'verified', points: 10, fault: null, exitCode: 0 } as const
const notVerified = {
  outcome: 'completed',
  verdict: 'not_verified',
  points: -15,
  fault: 'agent',
  exitCode: 1,
} as const
const contradicted = { ...notVerified, contradiction: true, points: -45 } as const
const unclear = { outcome: 'completed', verdict: 'unclear', points: -2, exitCode: 1 } as const
const notScored = { verdict: null, points: 0, fault: 'environment', exitCode: 3 } as const

const mails = (toml: string): string => `[probes.mails]\n${toml}\n`
const mailsFile = mails('file = "mails.txt"\nparse = "number"')
const zeroMails = { 'mails.txt': '0\n' }
/** A fixed timeout of one second. */
const hasty = '[adaptive_timeout]\nenabled = false\nmode_timeout = 1\n'
const hang = 'exec sleep 60'
const madeFile = 'required | verify: exists("made.txt")'
const judge = (verdict: string): string =>
  `[judge]\ncommand = ["sh", "-c", "cat > /dev/null; echo '{\\"verdict\\": \\"${verdict}\\", \\"reason\\": \\"looked at it\\"}'"]\n`

const table: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'the environment stopped the agent': {
    'its program is missing': {
      agent: '',
      command: ['no-such-agent-anywhere'],
      expected: { ...notScored, outcome: 'unavailable', reason: /no-such-agent-anywhere/ },
    },
    'its program may not be executed': {
      agent: '',
      command: ['./HEARTBEAT.md'],
      expected: { ...notScored, outcome: 'unavailable', reason: /is not executable/ },
    },
    'it is not logged in': {
      agent: 'echo "Invalid API key · Please run /login"; exit 1',
      expected: { ...notScored, outcome: 'error', reason: /not logged in/ },
    },
    'its service limits the rate': {
      agent: 'echo "Error: 429 Too many requests: rate limit exceeded" >&2; exit 1',
      expected: { ...notScored, outcome: 'error', reason: /rate limit/ },
    },
    'but it claimed a wrong value all the same': {
      agent: `report '{"status":"done","claims":{"mails":3}}'; echo "Error: rate limit exceeded" >&2; exit 1`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: { ...contradicted, outcome: 'error' },
    },
  },
  'it says skipped': {
    'of an optional task': {
      agent: `report '{"status":"skipped"}'`,
      task: 'optional | verify: exists("made.txt")',
      expected: { outcome: 'completed', verdict: null, points: 0, fault: null, exitCode: 0 },
    },
    'of a required task': { agent: `report '{"status":"skipped"}'`, expected: notVerified },
  },
  'it claims a value': {
    'that the probe does not have': {
      agent: `echo x > made.txt; report '{"status":"done","claims":{"mails":3}}'`,
      toml: mailsFile,
      files: zeroMails,
      expected: { ...contradicted, reason: /claimed mails = 3, measured 0/ },
    },
    'that the probe does not have, of an optional task': {
      agent: `report '{"status":"done","claims":{"mails":3}}'`,
      task: 'optional | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: contradicted,
    },
    'as a text that equals the number': {
      agent: `report '{"status":"done","claims":{"mails":"3"}}'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: { 'mails.txt': '3' },
      expected: verified,
    },
    'off by less than 1e-9 of it': {
      agent: `report '{"status":"done","claims":{"mails":1000000000.5}}'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: { 'mails.txt': '1000000000.4' },
      expected: verified,
    },
    'off by more than 1e-9 of it': {
      agent: `report '{"status":"done","claims":{"mails":1000000002}}'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: { 'mails.txt': '1000000000' },
      expected: contradicted,
    },
    'in running text only': {
      agent: 'echo "mails: 3"; echo "EXIT_SIGNAL: true"',
      task: 'required | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: contradicted,
    },
    'in a report that is no JSON': {
      agent: `report '{"status": done, claims: {mails: 3}'; echo "mails = 3"`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: contradicted,
    },
    'in an array of reports, the last of which counts': {
      agent: `report '[{"task_id":"other","claims":{"mails":9}},{"task_id":"job","status":"done","claims":{"mails":3}}]'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: { 'mails.txt': '3' },
      expected: verified,
    },
  },
  'it claims a file': {
    'that it never wrote': {
      agent: `report '{"status":"done","files":["made.txt"]}'`,
      task: 'required | verify: task_completed',
      expected: { ...contradicted, reason: /made\.txt/ },
    },
    'whose time alone it changed': {
      agent: `touch old.txt; report '{"status":"done","files":["old.txt"]}'`,
      task: 'required | verify: exists("old.txt")',
      files: { 'old.txt': 'as it was\n' },
      // The claim is true, but it was true before: nothing was done.
      expected: { ...verified, points: 0 },
    },
    'that it never wrote, in a git work tree': {
      agent: `report '{"status":"done","files":["made.txt"]}'`,
      task: 'required | verify: task_completed',
      git: true,
      expected: contradicted,
    },
    'that git ignores, which cannot be measured': {
      agent: `report '{"status":"done","files":["ignored.txt"]}'`,
      task: 'required | verify: task_completed',
      files: { '.gitignore': 'ignored.txt\n' },
      git: true,
      expected: { ...unclear, fault: 'agent', reason: /ignored\.txt cannot be measured/ },
    },
    'outside the workspace, which cannot be measured': {
      agent: `report '{"status":"done","files":["/elsewhere/made.txt"]}'`,
      task: 'required | verify: task_completed',
      expected: { ...unclear, fault: 'agent' },
    },
  },
  'it says failed': {
    'of a required task': { agent: `report '{"status":"failed"}'`, expected: notVerified },
    'of an optional one, though the expression passes': {
      agent: `echo x > made.txt; report '{"status":"failed"}'`,
      task: 'optional | verify: exists("made.txt")',
      expected: notVerified,
    },
  },
  'it ended without claiming': {
    'by its timeout, and the expression came to hold': {
      agent: `echo x > made.txt; ${hang}`,
      toml: hasty,
      expected: { ...verified, outcome: 'timeout' },
    },
    'by its timeout, and the expression fails': {
      agent: hang,
      toml: hasty,
      expected: { ...notVerified, outcome: 'timeout', reason: /timeout/ },
    },
    'by its timeout, and the expression held before': {
      agent: hang,
      toml: hasty,
      files: { 'made.txt': 'x' },
      expected: { ...notVerified, outcome: 'timeout' },
    },
    'by a crash, and the expression came to hold': {
      agent: 'echo x > made.txt; exit 7',
      expected: { ...verified, outcome: 'error' },
    },
    'by a crash, and nothing else': { agent: 'exit 7', expected: { ...notVerified, outcome: 'error' } },
    'by a signal': { agent: 'kill -SEGV $$', expected: { ...notVerified, outcome: 'error' } },
  },
  'the expression is false': {
    'after a claim of completion': {
      agent: `echo x > other.txt; report '{"status":"done","files":["other.txt"]}'`,
      expected: { ...notVerified, reason: /fails/ },
    },
    'of two probes': {
      agent: `echo x > other.txt; report '{"status":"done"}'`,
      task: 'required | verify: tests.passed == tests.total && mails == 0',
      toml: `${mailsFile}[probes.tests]\ncommand = ["cat", "tests.json"]\nparse = "json"\n`,
      files: { ...zeroMails, 'tests.json': '{"passed": 4, "total": 5}' },
      expected: notVerified,
    },
  },
  'a gate': {
    fails: {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      toml: '[gates]\ncommands = [["sh", "-c", "echo 2 tests failed; exit 1"]]\n',
      expected: { ...notVerified, reason: /gate .* failed.*2 tests failed/ },
    },
    passes: {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      toml: '[gates]\ncommands = [["true"]]\n',
      expected: verified,
    },
    'has no program': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      toml: '[gates]\ncommands = [["no-such-gate-anywhere"]]\n',
      expected: { ...unclear, points: 0, fault: 'environment', reason: /no-such-gate-anywhere/ },
    },
  },
  'the check cannot be made': {
    'for an unknown name': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      task: 'required | verify: letters > 0',
      expected: { ...unclear, points: 0, fault: 'contract', reason: /letters/ },
    },
    'for a bare name that is no probe': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      task: 'required | verify: letters',
      expected: { ...unclear, points: 0, fault: 'contract', reason: /letters/ },
    },
    'for a probe that fails': {
      agent: `echo x > made.txt; report '{"status":"done","claims":{"mails":1}}'`,
      task: 'required | verify: mails > 0',
      toml: mails('command = ["sh", "-c", "echo no server; exit 2"]\nparse = "number"'),
      expected: { ...unclear, points: 0, fault: 'contract', reason: /no server/ },
    },
    'for a probe that takes too long': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      task: 'required | verify: mails > 0',
      toml: mails('command = ["sleep", "60"]\nparse = "number"\ntimeout_seconds = 0.2'),
      expected: { ...unclear, points: 0, fault: 'environment', reason: /0\.2 s/ },
    },
    'for a hint that is none': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      task: 'required | verify: exists("made.txt"',
      expected: { ...unclear, points: 0, fault: 'contract' },
    },
  },
  'the check succeeds': {
    'of a required task': {
      agent: `echo x > made.txt; report '{"status":"done","files":["made.txt"],"exit_signal":true}'`,
      expected: verified,
    },
    'of an optional task': {
      agent: `echo x > made.txt; report '{"status":"done"}'`,
      task: 'optional | verify: changed("*.txt") && lines("made.txt") == 1 && contains("made.txt", "x")',
      expected: { ...verified, points: 5 },
    },
    'of a bare probe claimed right': {
      agent: `echo 3 > mails.txt; report '{"status":"done","claims":{"mails":3}}'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: verified,
    },
    'in a git work tree, by a commit of the agent': {
      agent: `echo x > made.txt; git add made.txt; git -c user.name=a -c user.email=a@example.com commit -q -m made; report '{"status":"done","files":["made.txt"]}'`,
      task: 'required | verify: changed("made.txt")',
      git: true,
      expected: verified,
    },
  },
  'there is nothing to measure': {
    'and nothing changed: a false completion': {
      agent: `report '{"status":"done","exit_signal":true}'`,
      task: 'required | verify: task_completed',
      expected: { ...notVerified, reason: /claimed completion/ },
    },
    'and the evidence shows in the snapshot': {
      agent: `echo x > notes.md; report '{"status":"done","evidence":["notes.md:1 the notes"]}'`,
      task: 'required | verify: task_completed',
      expected: verified,
    },
    'and something changed that nobody named': {
      agent: `echo x > notes.md; report '{"status":"done"}'`,
      task: 'required | verify: task_completed',
      expected: { ...unclear, fault: 'agent' },
    },
    'because no value was claimed for the bare probe': {
      agent: `echo x > notes.md; report '{"status":"done"}'`,
      task: 'required | verify: mails',
      toml: mailsFile,
      files: zeroMails,
      expected: { ...unclear, fault: 'agent', reason: /no value was claimed/ },
    },
    'and the judge verifies it': {
      agent: `echo x > notes.md; report '{"status":"done"}'`,
      task: 'required | verify: the notes are tidy',
      toml: judge('verified'),
      expected: { ...verified, reason: /looked at it/ },
    },
    'and the judge does not': {
      agent: `echo x > notes.md; report '{"status":"done"}'`,
      task: 'required | verify: the notes are tidy',
      toml: judge('not_verified'),
      expected: notVerified,
    },
    'for the judge, who can overrule no measurement': {
      agent: `echo x > notes.md; report '{"status":"done"}'`,
      toml: judge('verified'),
      expected: notVerified,
    },
  },
}

const prelude = `cat > /dev/null\nreport() { printf '\`\`\`heartbeat-report\\n%s\\n\`\`\`\\n' "$1"; }\n`

async function writeCase(directory: string, { agent, task, toml, command, files, git }: Case): Promise<void> {
  await writeFiles(directory, {
    ...files,
    'HEARTBEAT.md': `## Tasks\n- [ ] job | Do the job | ${task ?? madeFile}\n`,
    'agent.sh': `${prelude}${agent}\n`,
    'pulseward.toml': `[agent]\ncommand = ${JSON.stringify(command ?? ['sh', 'agent.sh'])}\n${toml ?? ''}`,
  })
  if (git !== true) return
  const run = (...args: string[]) => execFileSync('git', args, { cwd: directory, stdio: 'ignore' })
  run('init')
  run('add', '.')
  run('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'begin')
}

for (const [row, cases] of Object.entries(table)) {
  test.describe(row, () => {
    for (const [name, each] of Object.entries(cases)) {
      test(name, async ({ folder }) => {
        const directory = join(folder, 'job')
        await writeCase(directory, each)
        const result = await pulseward(folder, ['run', '--once', '--trust', '--json'], { cwd: directory })
        const { expected } = each
        const report = JSON.parse(result.stdout)
        expect({ ...report.attempts[0], exitCode: result.exitCode }).toMatchObject({
          taskId: 'job',
          outcome: expected.outcome,
          verdict: expected.verdict,
          groundTruthContradiction: expected.contradiction ?? false,
          points: expected.points,
          fault: expected.fault,
          exitCode: expected.exitCode,
        })
        expect(report.attempts).toHaveLength(1)
        expect(report.score.score).toBe(expected.points)
        if (expected.reason) expect(report.attempts[0].reasons.join('\n')).toMatch(expected.reason)
      })
    }
  })
}

test('environment faults do not count as attempts, everything else does', async ({ folder }) => {
  const directory = join(folder, 'job')
  const attempts = async (): Promise<number> => {
    const { stdout } = await pulseward(folder, ['status', '--json'], { cwd: directory })
    return JSON.parse(stdout).open[0].attempts
  }
  const missing = { agent: '', command: ['no-such-agent-anywhere'], expected: verified }
  await writeCase(directory, missing)
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  expect(await attempts()).toBe(0)
  await writeCase(directory, { agent: 'exit 1', expected: verified })
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  expect(await attempts()).toBe(1)
})

test('an agent that loosens its contract is judged by the one in effect when the heartbeat began', async ({
  folder,
}) => {
  const directory = join(folder, 'job')
  await writeCase(directory, {
    agent: `printf '## Tasks\\n- [x] job | Do the job | optional\\n' > HEARTBEAT.md; report '{"status":"done","files":["HEARTBEAT.md"]}'`,
    expected: notVerified,
  })
  const { exitCode, stdout } = await pulseward(folder, ['run', '--once', '--trust', '--json'], {
    cwd: directory,
  })
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout).attempts[0]).toMatchObject({
    verdict: 'not_verified',
    points: -15,
    interventions: expect.arrayContaining([
      expect.objectContaining({ event_type: 'contract_weakened', severity: 'critical' }),
    ]),
  })
})

test('an agent that removes the test it should pass is caught, and keeps its measured verdict', async ({
  folder,
}) => {
  const directory = join(folder, 'job')
  await writeCase(directory, {
    agent: `printf 'test("a", () => {})\n' > sum.test.js; echo done > made.txt; report '{"status":"done","files":["made.txt"]}'`,
    task: madeFile,
    files: {
      'sum.test.js': 'test("a", () => { expect(1).toBe(1) })\ntest("b", () => { expect(2).toBe(1) })\n',
    },
    expected: verified,
  })
  const { stdout } = await pulseward(folder, ['run', '--once', '--trust', '--json'], { cwd: directory })
  const [attempt] = JSON.parse(stdout).attempts
  expect(attempt).toMatchObject({ verdict: 'verified', points: 10 })
  const { details } = attempt.interventions.find(
    ({ event_type }: { event_type: string }) => event_type === 'protected_files_changed',
  )
  expect(details.files).toEqual(['sum.test.js: 2 tests before, 1 now, 2 assertions before, 0 now'])
})

test('a checked box is a claim too: if its check fails, the task is open', async ({ folder }) => {
  const directory = await writeFiles(join(folder, 'job'), {
    'HEARTBEAT.md':
      '## Tasks\n- [x] lie | Not done | verify: exists("made.txt")\n- [x] word | Done | verify: done\n- [x] true | Done | verify: exists("agent.sh")\n',
    'agent.sh': `${prelude}exit 1\n`,
    'pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\n',
  })
  const { stdout } = await pulseward(folder, ['run', '--once', '--trust', '--json'], { cwd: directory })
  const { attempts, score } = JSON.parse(stdout)
  expect(attempts.map(({ taskId }: { taskId: string }) => taskId)).toEqual(['lie'])
  expect(score).toMatchObject({ score: -15, verified: 0 })
})
