import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

describe('a command line', () => {
  it.each([
    [[], 'Name a command'],
    [['chek'], "unknown command 'chek' (Did you mean check?)"],
    [['check', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
    [['check', 'a', 'b'], 'too many arguments'],
    [['add'], "missing required argument 'DIR'. See `pulseward add --help`."],
    [['probe'], 'Name a command; `pulseward probe --help` lists them.'],
    [['channels', 'add'], "missing required argument 'NAME'. See `pulseward channels add --help`."],
    [
      ['channels', 'add', '--only', 'inbox', 'phone', 'ntfy', 'https://ntfy.example.org/x'],
      "missing required argument 'NAME': --only takes all the words behind it. Put it last, or end it with `--`.",
    ],
    [['overrule', 'a-1'], "required option '--verdict <VERDICT>' not specified"],
    [['overrule', 'a-1', '--verdict', 'good', '--reason', 'x'], '--verdict is one of'],
    [['overrule', 'a-1', '--verdict', 'verified', '--reason', ' '], '--reason is empty'],
    [['feedback', 'sideways'], 'Feedback is "up" or "down"'],
    [['run'], 'Say `pulseward run --once`'],
    [['serve', '--port', '70000'], '--port is "70000"'],
    [['serve', '--port', '1e3'], '--port is "1e3"'],
    [['resume', '--reason', ' '], '--reason is empty'],
    [['unblock'], 'Name the task to unblock'],
    [['unblock', 'a', '--filter', 'simple'], 'not both'],
    [['unblock', '--filter', 'heavy'], '--filter is "heavy"; expected simple, medium, complex, ui_heavy'],
    [['unblock', 'a', '--timeout', '0'], '--timeout is "0"; expected a whole number'],
    [['unblock', 'a', '--timeout', '1.5'], '--timeout is "1.5"; expected a whole number'],
    [['unblock', 'a', '--timeout-multiplier', '0'], '--timeout-multiplier is "0"; expected a number above 0'],
    [['unblock', 'a', '--timeout-multiplier', '-2'], '--timeout-multiplier'],
    [['unblock', 'a', '--timeout', '60', '--timeout-multiplier', '2'], 'not both'],
    [['unblock', 'a', '--reason', ''], '--reason is empty'],
    [['retry-blocked', '--max-attempts', 'many'], '--max-attempts is "many"'],
    [['interventions', '--last', '-1'], '--last'],
    [['interventions', '--last', '9999999999999999999'], '--last is'],
    [
      ['unblock', 'a', '--timeout', '86401'],
      '--timeout is "86401"; expected a whole number from 1 to 86,400.',
    ],
    [
      ['unblock', 'a', '--timeout-multiplier', '1001'],
      '--timeout-multiplier is "1001"; expected a number above 0 and up to 1,000, such as 2 or 1.5.',
    ],
    [
      ['retry-blocked', '--max-attempts', '1001'],
      '--max-attempts is "1001"; expected a whole number from 1 to 1,000.',
    ],
    [['update', 'install', '9'], 'version: expected a version such as 1.2.3'],
    [['help', 'chek'], "unknown command 'chek' (Did you mean check?). See `pulseward --help`."],
    [['chek', '--help'], "unknown command 'chek' (Did you mean check?). See `pulseward --help`."],
    [['help', 'zzz'], "unknown command 'zzz'. See `pulseward --help`."],
    [
      ['help', 'fleet', 'hosst'],
      "unknown command 'hosst' (Did you mean hosts?). See `pulseward fleet --help`.",
    ],
    [['help', 'backup', 'resto'], 'too many arguments'],
    [['review', '--rigged'], '--rigged goes with an answer: `pulseward review accept ID`'],
    [['review', 'undo', 'a-1', '--put-back'], '--put-back goes with an answer'],
    [['proposals', '--items', '1'], '--items goes with accept or revert'],
    [['undo', 'a-1', '--redo', '--reason', 'x'], 'Leave it out with --redo'],
    [['fleet', 'ask', 'host', 'w', 'run', '--until', 'tomorrow'], '--until is only for a pause'],
    [['fleet', 'ask', 'host', 'w', 'run', 'a-1'], 'run is about the whole workspace: leave out "a-1".'],
    [['add', 'one', '--workspace', 'two'], 'The command names one, and --workspace names two: name one'],
    [['trust', 'one', '--workspace', 'two'], 'The command names one, and --workspace names two'],
    [['remove', 'one', '--workspace', 'two'], 'The command names one, and --workspace names two'],
    [['sample', 'one', '--workspace', 'two'], 'The command names one, and --workspace names two'],
    [['check', 'one', '--workspace', 'two'], 'one does not lie in two, which --workspace names'],
    [['status', '--workspace', ''], '--workspace is empty: give it a value, or leave it out.'],
    [['add', ''], 'DIR is empty: give it a value. See `pulseward add --help`.'],
    [['overrule', 'a-1', '--verdict', 'verified', '--reason', ''], '--reason is empty: give it a value. See'],
    [
      ['status', '--data-dir', '--workspace'],
      "option '--data-dir <DIR>' argument missing: --workspace follows instead.",
    ],
    [
      ['status', '--workspace', '--data-dir'],
      "option '--workspace <DIR>' argument missing: --data-dir follows",
    ],
    [
      ['interventions', '--last', '--reset'],
      "option '--last <N>' argument missing: --reset follows instead.",
    ],
  ])('%j with a mistake prints one line and exits with 2', async (args, words) => {
    const { exitCode, stdout, stderr } = await cli.run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^pulseward: [^\n]+\n$/)
    expect(stderr).toContain(words)
  })

  it('with a mistake also prints a document with --json, wherever that is', async () => {
    for (const args of [
      ['--json', 'chek'],
      ['chek', '--json'],
      ['check', 'chek', '--workspace', '--json'],
    ]) {
      const { exitCode, stdout } = await cli.run(args)
      expect(exitCode).toBe(2)
      expect(JSON.parse(stdout)).toEqual({
        error: { code: 'USAGE', message: expect.stringMatching(/chek|--json follows instead/) },
      })
    }
  })

  it.each([['--help'], ['check', '--help'], ['--version']])(
    'with %s is answered on stdout',
    async (...args) => {
      const { exitCode, stdout, stderr } = await cli.run(args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout).toMatch(/pulseward|1\.2\.3/)
    },
  )

  it('may name the same workspace twice, however it is written', async () => {
    await cli.write({ 'demo/HEARTBEAT.md': '## Tasks\n- [ ] a | A | verify: exists("a")\n' })
    const added = await cli.run(['add', 'demo', '--workspace', './demo/', '--json'])
    expect(added.exitCode).toBe(0)
    const { id } = JSON.parse(added.stdout)
    expect((await cli.run(['check', 'demo/HEARTBEAT.md', '--workspace', 'demo'])).exitCode).toBe(0)
    expect((await cli.run(['check', 'demo', '--workspace', id])).exitCode).toBe(0)
    await cli.write({ 'other/HEARTBEAT.md': '## Tasks\n- [ ] a | A | verify: exists("a")\n' })
    expect((await cli.run(['check', 'other', '--workspace', id])).exitCode).toBe(2)
    expect((await cli.run(['import', 'other', '--into', 'demo', '--workspace', id])).stderr).not.toContain(
      'name one of the two',
    )
    expect((await cli.run(['remove', 'demo', '--workspace', id])).exitCode).toBe(0)
    expect((await cli.run(['sample', 'new', '--workspace', 'new'])).exitCode).toBe(0)
  })

  it('asking for help about a subcommand shows that subcommand', async () => {
    for (const args of [
      ['help', 'fleet', 'hub', 'add'],
      ['fleet', 'help', 'hub', 'add'],
      ['fleet', 'hub', 'add', '-h'],
    ]) {
      const { exitCode, stdout } = await cli.run(args)
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^Usage: pulseward fleet hub add /)
    }
  })

  it('asking for the version or for help with --json prints one document', async () => {
    const asked = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await cli.run(args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      return JSON.parse(stdout)
    }
    expect(await asked('--json', '--version')).toEqual({ version: '1.2.3' })
    const help = { help: expect.stringMatching(/^Usage: pulseward check /) }
    expect(await asked('check', '--help', '--json')).toEqual(help)
    expect(await asked('help', 'check', '--json')).toEqual(help)
    expect(await asked('--json', 'help')).toEqual({ help: expect.stringContaining('Commands:') })
  })

  it('takes a value that looks like an option as a value', async () => {
    await cli.write({ '--odd/HEARTBEAT.md': '## Tasks\n- [ ] a | A | verify: exists("a")\n' })
    const { exitCode, stdout } = await cli.run(['check', '--workspace', '--odd', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).tasks).toHaveLength(1)
    expect(await readdir(cli.root)).toEqual(['--odd'])
  })
})

describe('token', () => {
  it('finds a hub again in the folder where it was created', async () => {
    const made = await cli.run(['fleet', 'hub', '--address', 'hub.example.org:4222', '--dir', 'elsewhere'])
    expect(made.exitCode).toBe(0)
    for (const command of [['add', 'build-1'], ['operator', 'olga'], ['revoke', 'build-1'], ['list']]) {
      const { exitCode } = await cli.run(['fleet', 'hub', ...command, '--dir', 'elsewhere'])
      expect([command[0], exitCode]).toEqual([command[0], 0])
    }
  })

  it('without a running host exits with 3 and says how to start one', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['token'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toMatch(/^pulseward: No Pulseward runs for .*data\. Start one with `pulseward serve`/)
  })
})

describe('sample', () => {
  it('writes a workspace that checks without any finding', async () => {
    const { exitCode, stdout } = await cli.run(['sample', 'demo', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).path).toBe(`${cli.root}/demo`)
    const check = await cli.run(['check', 'demo', '--json'])
    expect(JSON.parse(check.stdout)).toMatchObject({ tasks: { length: 6 }, diagnostics: [] })
  })

  it('does not touch a folder that is not empty', async () => {
    await cli.write({ 'demo/notes.txt': 'mine' })
    const { exitCode, stderr } = await cli.run(['sample', 'demo'])
    expect(exitCode).toBe(2)
    expect(stderr).toBe(`pulseward: ${cli.root}/demo is not empty; choose another folder.\n`)
  })

  it('does not write to a path where a file exists', async () => {
    await cli.write({ demo: 'mine' })
    const { exitCode, stderr } = await cli.run(['sample', 'demo'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^pulseward: Cannot write .*demo: [^\n]+\n$/)
  })
})
