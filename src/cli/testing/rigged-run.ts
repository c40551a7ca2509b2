import { execFileSync } from 'node:child_process'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { CliFixture } from './cli-fixture.ts'

/* Shared by tests of rigged checks: the agent's report, the repository, one heartbeat, and the expected results. */

export type Attempt = RunReport['attempts'][number]

/** The result of an honest attempt. */
export const PAID = { verdict: 'verified', points: 10, held: null }
/** Held for review, with no one blamed. Tests check `held` separately. */
export const HELD = { verdict: 'unclear', points: 0, fault: null, groundTruthContradiction: false }
/** The agent's fault, without a measurement that contradicts its claim. */
export const REFUTED = {
  verdict: 'not_verified',
  fault: 'agent',
  groundTruthContradiction: false,
  points: -15,
}

/** Runs git in a folder with a test identity; returns what it printed. */
export function git(folder: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=o', '-c', 'user.email=o@example.invalid', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
}

/** Makes the folder a repository with everything committed. */
export function commitAll(folder: string): void {
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'start')
}

/** Returns the shell script of an agent that reads its prompt, does `lines`, and reports on the task. */
export function agentScript(lines: string, report: Readonly<Record<string, unknown>>): string {
  return `cat > /dev/null\n${lines}\n${reportLines(report)}\n`
}

/** Returns shell lines that print a report. */
export const reportLines = (report: Readonly<Record<string, unknown>>): string =>
  `cat <<'END'\n\`\`\`heartbeat-report\n${JSON.stringify(report)}\n\`\`\`\nEND`

/** Runs one heartbeat of the workspace and returns all its attempts; without flags it must be approved already. */
export async function attemptsOf(
  cli: CliFixture,
  workspace = 'p',
  flags: readonly string[] = ['--trust'],
): Promise<readonly Attempt[]> {
  const { stdout, stderr } = await cli.run(['run', '--once', ...flags, '--json', '--workspace', workspace])
  const { attempts } = JSON.parse(stdout || '{}') as Partial<RunReport>
  if (attempts === undefined) throw new Error(`no heartbeat: ${stdout} ${stderr}`)
  return attempts
}

/** Runs one heartbeat and returns its first attempt. */
export async function firstAttempt(
  cli: CliFixture,
  workspace?: string,
  flags?: readonly string[],
): Promise<Attempt> {
  const [first] = await attemptsOf(cli, workspace, flags)
  if (first === undefined) throw new Error('nothing ran')
  return first
}

export const events = ({ interventions }: Attempt): readonly string[] =>
  interventions.map(({ event_type }) => event_type)
