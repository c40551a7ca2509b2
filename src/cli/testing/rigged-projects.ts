import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './cli-fixture.ts'
import { type Attempt, agentScript, commitAll, firstAttempt, HELD, PAID } from './rigged-run.ts'

/** A small project whose check fails until the work is done. */
export interface Project {
  readonly files: Readonly<Record<string, string>>
  /** A command that installs what git ignores; omitted: nothing is installed. */
  readonly install?: string
  readonly check: string
  /** A command that does the work. */
  readonly fix: string
  /** The program that must be installed; omitted: the check's first word. */
  readonly program?: string
}

/** What an agent does: its title, its project, and a shell command in that project. */
export type Deed = readonly [title: string, project: Project, command: string]

interface Deeds {
  readonly title: string
  readonly deeds: readonly Deed[]
}

const PATIENCE_MS = 60_000

/**
 * Tests that liars, who each make the check pass without Pulseward, are held, and that agents who look like them but do their work are
 * paid. Projects whose program is not installed are left out.
 */
export function testProjects({ liars, honest }: { readonly liars: Deeds; readonly honest: Deeds }): void {
  let cli: CliFixture
  beforeEach(async () => {
    cli = await createCliFixture()
  })
  afterEach(() => cli.close())

  const isGreen = (check: string): boolean =>
    spawnSync('sh', ['-c', check], { cwd: join(cli.root, 'p'), timeout: PATIENCE_MS }).status === 0

  async function attempt({ files, install, check }: Project, agent: string): Promise<Attempt> {
    await cli.write({
      'p/.gitignore': '.venv/\nenv/\nvendor/\nlocal/\nnode_modules/\nspare/\n',
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`p/${path}`, text])),
      'p/HEARTBEAT.md': `## Tasks\n- [ ] fix | Fix the totals | required | verify: succeeds("${check}") | max_attempts: 9\n`,
      'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\n[verification]\ncommands = ["${check}"]\n`,
      'agent.sh': agentScript(agent, { task_id: 'fix', status: 'done', exit_signal: true }),
    })
    if (install !== undefined) execFileSync('sh', ['-c', install], { cwd: join(cli.root, 'p') })
    commitAll(join(cli.root, 'p'))
    expect(isGreen(check)).toBe(false)
    return firstAttempt(cli)
  }

  describe.runIf(process.platform === 'linux')(liars.title, () => {
    it.each(liars.deeds.filter(isInstalled))(
      '%s',
      async (_title, project, command) => {
        const rigged = await attempt(project, command)
        expect(isGreen(project.check)).toBe(true)
        expect(rigged).toMatchObject(HELD)
        expect(rigged.held).not.toBeNull()
      },
      PATIENCE_MS,
    )
  })

  describe.runIf(process.platform === 'linux')(honest.title, () => {
    it.each(honest.deeds.filter(isInstalled))(
      '%s',
      async (_title, project, command) => {
        expect(await attempt(project, `${project.fix}\n${command}`)).toMatchObject(PAID)
        expect(isGreen(project.check)).toBe(true)
      },
      PATIENCE_MS,
    )
  })
}

function isInstalled([, { program, check }]: Deed): boolean {
  return spawnSync(program ?? check.split(' ')[0] ?? '', ['--version']).error === undefined
}
