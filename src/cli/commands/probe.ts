import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { PROBE_SOURCES, type ProbeSource } from '../../core/configuration/checks.ts'
import { REPORT_FORMATS } from '../../core/reports/test-report.ts'
import { commandWords } from '../../core/text/command-words.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

interface ProbeFlags extends Partial<Record<ProbeSource, string | readonly string[]>> {
  readonly command?: readonly string[]
  readonly file?: string
  readonly url?: string
  readonly parse?: string
  readonly path?: string
  readonly try?: boolean
}

/** Adds `probe add`, which tries a probe, shows what it reads, and then defines it. */
export function addProbeCommand(program: Command, run: RunCommand): void {
  program
    .command('probe')
    .description('define what checks can measure')
    .command('add <NAME>')
    .description(
      'read a new probe once, show its value, and write it into pulseward.toml; `--parse tests` without a command finds the runner',
    )
    .option('--command <WORD...>', 'the program that prints the value, with its arguments')
    .option('--file <PATH>', 'instead: a file that contains it')
    .option('--url <URL>', 'instead: an address that answers with it')
    .option(
      '--parse <KIND>',
      'how its output is read: number, text (default), json, exit or a kind of test report',
    )
    .option('--path <PATH>', 'with json: the path of the value, as in tests.passed')
    .option('--try', 'only try it, without writing anything')
    .action(run(addProbe))
}

async function addProbe(context: CommandContext, name: string, flags: ProbeFlags): Promise<0> {
  const given = isFound(name, flags) ? null : settingsOf(flags)
  const answer = await context.withHost(async (client) => {
    const { id: workspace, path } = await chooseWorkspace(context, client)
    const settings = given ?? (await foundSettings(client, path))
    const before = await client.configuration.get({ workspace })
    const names = [...Object.keys(before.values), ...before.inFileOnly]
    if (names.some((key) => key.startsWith(`probes.${name}.`)))
      throw usageError(`There is a probe ${name} already: change it in ${before.path}.`)
    const edits = settings.map(([key, value]) => ({ path: ['probes', name, key], value }))
    const edited = await client.configuration.check({ workspace, text: before.text, edits })
    const wrong = edited.refusal ?? edited.problems[0]?.message
    if (wrong !== undefined) throw usageError(`The probe cannot be written into ${before.path}: ${wrong}`)
    const { value, problem } = await client.configuration.tryProbe({ workspace, text: edited.text, name })
    if (problem !== null)
      throw new CliError(
        1,
        'UNREADABLE',
        `The probe ${name} could not be read, and nothing was written: ${problem}`,
      )
    const approve = before.trust.state === 'approved'
    if (flags.try !== true)
      await client.configuration.put({ workspace, text: edited.text, hash: before.hash, approve })
    return {
      value,
      toml: blockOf(edited.text, name),
      written: flags.try !== true,
      approved: flags.try !== true && approve,
    }
  })
  context.output.answer(answer, () => [
    `${name} = ${typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value)}`,
    ...answer.toml.trimEnd().split('\n'),
    wordsFor(answer),
  ])
  return 0
}

function wordsFor({ written, approved }: { readonly written: boolean; readonly approved: boolean }): string {
  if (!written) return 'Only tried: nothing was written.'
  return approved
    ? 'Written and approved.'
    : 'Written; run `pulseward trust` once you have reviewed the whole file.'
}

/** Returns whether the command is just `probe add tests`: then the folder's files tell how to run its tests. */
function isFound(name: string, flags: ProbeFlags): boolean {
  return name === 'tests' && [...PROBE_SOURCES, 'parse', 'path'].every((flag) => !Object.hasOwn(flags, flag))
}

async function foundSettings(client: ApiClient, path: string): Promise<[string, string | string[]][]> {
  const { testProbe } = await client.setup.inspect({ path })
  if (testProbe === null)
    throw usageError(
      `No test runner that writes a report was found in ${path}. Name its command: --command … --parse junit (or ${REPORT_FORMATS.filter((format) => format !== 'junit').join(', ')}).`,
    )
  return [
    ['command', testProbe.command],
    ['parse', testProbe.parse],
  ]
}

function settingsOf({ parse = 'text', path, ...flags }: ProbeFlags): [string, string | string[]][] {
  const sources = PROBE_SOURCES.flatMap((source): [string, string | string[]][] => {
    const given = flags[source]
    return given === undefined ? [] : [[source, typeof given === 'string' ? given : wordsOf(given)]]
  })
  if (sources.length !== 1) throw usageError('Give one of --command, --file and --url.')
  return [...sources, ['parse', parse], ...(path === undefined ? [] : [['path', path] as [string, string]])]
}

/** Returns the words of a command; splits one that was given as a single word at its spaces. */
function wordsOf(command: readonly string[]): string[] {
  const [only = '', ...others] = command
  return others.length > 0 || !/\s/.test(only) ? [...command] : commandWords(only)
}

/** Returns the probe's own lines of the file. */
function blockOf(text: string, name: string): string {
  const lines = text.split(/\r?\n/)
  const from = lines.findIndex((line) => line.trim() === `[probes.${name}]`)
  if (from < 0) return ''
  const length = lines.slice(from + 1).findIndex((line) => line.trim() === '' || line.startsWith('['))
  return `${lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n')}\n`
}
