import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

const contract = `# Work

Context before.

## Tasks

- [ ] check_email | Read the mail | required | verify: email_count > 0 | max_attempts: 2
  - every message counted
- [x] tidy | Tidy up | optional | verify: exists("a.txt")

## After
`
const config = '[agent]\ncommand = ["agent"]\n[probes.email_count]\ncommand = ["./count"]\nparse = "number"\n'

describe('check', () => {
  it('warns of checks that pass before any work, as `add` does, and runs no command to find out', async () => {
    const lines = [
      '- [ ] hollow | Keep it | verify: exists("HEARTBEAT.md") && lines("HEARTBEAT.md") > 2',
      '- [ ] fresh | Make it | verify: exists("made.txt")',
      '- [ ] edit | Edit it | verify: changed("**") && exists("HEARTBEAT.md")',
      '- [ ] run | Run it | verify: succeeds("touch ran")',
      '- [x] over | It is done | verify: exists("HEARTBEAT.md")',
    ]
    await cli.write({
      'w/HEARTBEAT.md': `## Tasks\n\n${lines.join('\n')}\n`,
      'w/pulseward.toml': '[agent]\ncommand = ["agent"]\n[verification]\ncommands = ["touch ran"]\n',
    })
    const { exitCode, stdout } = await cli.run(['check', 'w', '--json'])
    const hollow = (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.filter(
      ({ code }) => code === 'hollow-hint',
    )
    expect({ exitCode, hollow }).toEqual({
      exitCode: 0,
      hollow: [
        {
          severity: 'warning',
          code: 'hollow-hint',
          message: expect.stringContaining('of hollow passes already, before any work'),
          line: 3,
          column: 1,
        },
      ],
    })
    const added = await cli.run(['add', 'w'])
    expect(added.stderr.match(/passes already/g)).toEqual(['passes already'])
    expect(await readdir(join(cli.root, 'w'))).toEqual(['HEARTBEAT.md', 'pulseward.toml'])
  })

  it('prints tasks, context and diagnostics, and exits with 0 if there is no error', async () => {
    await cli.write({ 'HEARTBEAT.md': contract, 'pulseward.toml': config })
    const { exitCode, stdout, stderr } = await cli.run(['check', '--json'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      tasks: [
        {
          id: 'check_email',
          description: 'Read the mail',
          required: true,
          verify: 'email_count > 0',
          maxAttempts: 2,
          mayChange: [],
          writesNoFiles: false,
          checked: false,
          criteria: ['every message counted'],
          line: 7,
        },
        {
          id: 'tidy',
          description: 'Tidy up',
          required: false,
          verify: 'exists("a.txt")',
          maxAttempts: 3,
          mayChange: [],
          writesNoFiles: false,
          checked: true,
          criteria: [],
          line: 9,
        },
      ],
      context: '# Work\n\nContext before.\n\n## After\n',
      diagnostics: [],
    })
  })

  it('warns of unknown probes if there is no pulseward.toml', async () => {
    await cli.write({ 'HEARTBEAT.md': contract })
    const { exitCode, stdout } = await cli.run(['check', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'unknown-probe',
        message: expect.stringContaining('email_count'),
        line: 7,
        column: 48,
      },
    ])
  })

  it('continues if pulseward.toml is broken, and says where', async () => {
    await cli.write({ 'HEARTBEAT.md': contract, 'pulseward.toml': '[agent]\ncommand = []\n' })
    const { exitCode, stdout, stderr } = await cli.run(['check'])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/pulseward\.toml:2:11: agent\.command: expected .* No probe is known/)
    expect(stdout).toContain('HEARTBEAT.md: 2 tasks')
  })

  it('exits with 1 if the contract has errors, and shows their positions like a compiler', async () => {
    await cli.write({
      'HEARTBEAT.md': '## Tasks\n- [ ] a | one | verify: 1 > 0\n- [ ] a | two | verify: 1 > 0\n',
    })
    const { exitCode, stdout } = await cli.run(['check'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^HEARTBEAT\.md:3:7: error: .*\(duplicate-id\)$/m)
  })

  it.each([
    [['check', 'elsewhere']],
    [['check', 'elsewhere/HEARTBEAT.md']],
    [['check', '--workspace', 'elsewhere']],
  ])('%j accepts a folder or a file', async (args) => {
    await cli.write({ 'elsewhere/HEARTBEAT.md': contract, 'elsewhere/pulseward.toml': config })
    const { exitCode, stdout } = await cli.run(args)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('elsewhere/HEARTBEAT.md: 2 tasks')
  })

  it('accepts a contract file of any name', async () => {
    await cli.write({ 'tasks.md': contract, 'pulseward.toml': config })
    expect((await cli.run(['check', 'tasks.md'])).stdout).toContain('tasks.md: 2 tasks')
  })

  it.each([
    [['check', 'odd/HEARTBEAT.md']],
    [['check', 'odd']],
    [['check', '--workspace', 'odd/HEARTBEAT.md']],
  ])('%j reports a folder at the contract’s path once', async (args) => {
    await mkdir(join(cli.root, 'odd/HEARTBEAT.md'), { recursive: true })
    const { exitCode, stdout, stderr } = await cli.run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    const path = join(cli.root, 'odd/HEARTBEAT.md')
    expect(stderr).toBe(
      `pulseward: Cannot read ${path}: it is not a regular file. Replace it with a text file.\n`,
    )
  })

  it('accepts a workspace folder that is named like a contract', async () => {
    await cli.write({ 'HEARTBEAT.md/HEARTBEAT.md': contract })
    expect((await cli.run(['check', 'HEARTBEAT.md'])).stdout).toContain('HEARTBEAT.md/HEARTBEAT.md: 2 tasks')
  })

  it.each([
    ['that is missing', {}, /There is no .*HEARTBEAT\.md\. Write your tasks there/],
    [
      'of 10 MB',
      { 'HEARTBEAT.md': 'x'.repeat(10 * 1024 * 1024) },
      /HEARTBEAT\.md is 10 MB; at most 2 MB is read/,
    ],
  ])('refuses a file %s with 2', async (_name, files, message) => {
    await cli.write(files)
    const { exitCode, stdout, stderr } = await cli.run(['check'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
