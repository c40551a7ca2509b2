import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { CliFixture } from './cli-fixture.ts'

const GIT = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main']

export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', [...GIT, ...args], { cwd: directory, encoding: 'utf8' }).trim()
}

const CONTRACT = '## Tasks\n\n- [ ] count | Count the mail | required | verify: mails\n'
const CONFIGURATION = `[agent]
id = "writer"
command = ["sh", "../agent.sh"]
sandbox = "off"

[probes.mails]
file = "mails.txt"
parse = "number"
`

const COMMIT = 'git -c user.name=A -c user.email=a@example.org commit --quiet --all --message Count\n'

/** The number that the agent writes, and the one it claims; the probe reads the written one. */
export interface AgentTurn {
  readonly writes: number
  readonly claims: number
  readonly says?: string
  /** True if the agent commits what it wrote. */
  readonly commits?: boolean
  /** Shell lines that the agent runs first. */
  readonly does?: string
  /** Further values in its report. */
  readonly claimsMore?: Readonly<Record<string, string>>
}

/** A repository with a contract of one task, whose agent writes a number and claims one. */
export class AttestedWorkspace {
  readonly directory: string
  readonly #cli: CliFixture

  constructor(cli: CliFixture) {
    this.#cli = cli
    this.directory = join(cli.root, 'job')
  }

  async prepare(
    remote = 'https://user:secret@github.com/acme/job.git',
    configuration = '',
    sandbox: 'off' | 'required' = 'off',
  ): Promise<void> {
    await this.#cli.write({
      'job/HEARTBEAT.md': CONTRACT,
      'job/pulseward.toml': `${CONFIGURATION.replace('"off"', `"${sandbox}"`)}${configuration}`,
      'job/mails.txt': '0\n',
    })
    git(this.directory, 'init', '--quiet')
    git(this.directory, 'remote', 'add', 'origin', remote)
    git(this.directory, 'add', '--all')
    git(this.directory, 'commit', '--quiet', '--message', 'Begin')
  }

  /** Runs one heartbeat; returns the id of its attempt. */
  async heartbeat({
    writes,
    claims,
    says = '',
    commits = false,
    does = ':',
    claimsMore = {},
  }: AgentTurn): Promise<string> {
    const report = JSON.stringify({
      task_id: 'count',
      status: 'done',
      claims: { mails: claims, ...claimsMore },
      files: ['mails.txt'],
    })
    await this.#cli.write({
      'agent.sh': `cat > /dev/null\n${does}\necho ${writes} > mails.txt\n${commits ? COMMIT : ''}printf '%s\\n' '${says}' '\`\`\`heartbeat-report' '${report}' '\`\`\`'\n`,
    })
    const { stdout } = await this.#cli.run(['run', '--once', '--trust', '--json', '--workspace', 'job'])
    return JSON.parse(stdout).attempts[0].attemptId
  }

  /** Commits all files; returns the commit. */
  commit(): string {
    git(this.directory, 'add', '--all')
    git(this.directory, 'commit', '--quiet', '--allow-empty', '--message', 'Count')
    return git(this.directory, 'rev-parse', 'HEAD')
  }
}
