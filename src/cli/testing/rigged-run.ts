import { execFileSync } from 'node:child_process'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { CliFixture } from './cli-fixture.ts'

/* What tests of rigged checks share: the agent's report, the repository, one heartbeat, and what the ends look like. */

export type Attempt = RunReport['attempts'][number]

/** The honest end. */
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

/** Git in a folder, as someone whom no machine knows; answers with what it printed. */
export function git(folder: string, ...words: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=o', '-c', 'user.email=o@example.invalid', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
}

/** The folder as a repository, all of it committed. */
export function commitAll(folder: string): void {
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'start')
}

/** A shell script of an agent that reads its prompt, does `lines`, and reports on the task. */
export function agentScript(lines: string, report: Readonly<Record<string, unknown>>): string {
  return `cat > /dev/null\n${lines}\n${reportLines(report)}\n`
}

/** Shell lines that print a report. */
export const reportLines = (report: Readonly<Record<string, unknown>>): string =>
  `cat <<'END'\n\`\`\`heartbeat-report\n${JSON.stringify(report)}\n\`\`\`\nEND`

/** All attempts of one heartbeat of the workspace; without flags it has to be trusted already. */
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

/** The first attempt of one heartbeat. */
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
