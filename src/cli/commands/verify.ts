import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type AskedCommands, mayRun } from '../../core/change/consent.ts'
import { CHANGE_FORMATS, type ChangeFormat, renderChange } from '../../core/change/formats/render.ts'
import { exitCodeOf } from '../../core/change/judge-change.ts'
import { CHANGE_PARTS, type ChangePart, type ChangeVerdict } from '../../core/change/types.ts'
import { asksYes } from '../ask-yes.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

interface VerifyOptions {
  readonly base?: string
  readonly head?: string
  readonly worktree?: true
  readonly part: ChangePart
  readonly task?: string[]
  readonly claims?: string
  readonly config?: string
  readonly held: 'fail' | 'neutral'
  readonly format: ChangeFormat
  readonly output?: string[]
  readonly attest?: string
  readonly trust?: true
  readonly cache: boolean
}

export function addVerifyCommand(program: Command, run: RunCommand): void {
  program
    .command('verify')
    .description('judge a change: does it do what it claims, and was anything rigged?')
    .option(
      '--base <REV>',
      'compare with the merge base of this revision (default: the upstream’s default branch, main or master)',
    )
    .option('--head <REV>', 'judge this revision (default: HEAD, or the work tree if it is dirty)')
    .option('--worktree', 'judge the work tree')
    .addOption(
      new Option('--part <PART>', 'custody reads git objects only, measure runs the base’s checks')
        .choices(CHANGE_PARTS)
        .default('all'),
    )
    .option('--task <ID>', 'a task of the contract that the change should complete (repeatable)', collect)
    .option(
      '--claims <FILE>',
      'the change’s description, such as a pull request’s title and body; - is stdin',
    )
    .option('--config <FILE>', 'a pulseward.toml from outside of the tree')
    .addOption(
      new Option('--held <MODE>', 'whether held for review fails (exit 4) or not (exit 0)')
        .choices(['fail', 'neutral'])
        .default('fail'),
    )
    .addOption(
      new Option('--format <FORMAT>', 'how the verdict is printed').choices(CHANGE_FORMATS).default('text'),
    )
    .option('--output <FORMAT=FILE>', 'write it to a file too (repeatable)', collect)
    .option('--attest <FILE>', 'write the verdict signed, as in-toto statements in DSSE envelopes')
    .option('--trust', 'run the base’s commands without asking')
    .option('--no-cache', 'run the base’s checks again')
    .action(run((context, options: VerifyOptions) => verify(context, options)))
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

async function verify(context: CommandContext, options: VerifyOptions): Promise<0 | 1 | 2 | 3 | 4> {
  const outputs = (options.output ?? []).map(readOutput)
  const { machine, currentDirectory, dataDirectory, workspaceArgument, signal } = context
  const claims =
    options.claims === undefined
      ? ''
      : await machine.changes.readClaims(
          options.claims === '-' ? '-' : resolve(currentDirectory, options.claims),
        )
  const result = await machine.changes.verify({
    directory: resolve(currentDirectory, workspaceArgument ?? '.'),
    base: options.base,
    head: options.head,
    worktree: options.worktree === true,
    part: options.part,
    taskIds: options.task ?? [],
    claims,
    config: options.config === undefined ? undefined : resolve(currentDirectory, options.config),
    useCache: options.cache,
    consents: (folders) => consents(context, options, folders),
    dataDirectory,
    signal,
  })
  for (const { format, path } of outputs)
    await writeOutput(resolve(currentDirectory, path), renderChange(result, format))
  if (options.attest !== undefined) await attest(context, resolve(currentDirectory, options.attest), result)
  print(context, options.format, result)
  return exitCodeOf(result, { held: options.held })
}

async function attest(
  { machine, currentDirectory, dataDirectory, workspaceArgument }: CommandContext,
  path: string,
  result: ChangeVerdict,
): Promise<void> {
  const keeper = await machine.attestations()
  const directory = resolve(currentDirectory, workspaceArgument ?? '.')
  const envelopes = await keeper.attestChange(result, { directory, dataDirectory })
  if (envelopes.length === 0)
    throw usageError(`There is nothing to attest: ${result.reasons[0] ?? 'nothing was judged'}.`)
  await keeper.write(path, envelopes)
}

function readOutput(text: string): { readonly format: ChangeFormat; readonly path: string } {
  const at = text.indexOf('=')
  const format = CHANGE_FORMATS.find((each) => each === text.slice(0, at))
  if (format === undefined || at === text.length - 1)
    throw usageError(`--output ${text} is not FORMAT=FILE, with one of ${CHANGE_FORMATS.join(', ')}.`)
  return { format, path: text.slice(at + 1) }
}

async function writeOutput(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw new CliError(
      2,
      'USAGE',
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  })
}

function print({ output, machine }: CommandContext, format: ChangeFormat, result: ChangeVerdict): void {
  const asked = output.json ? 'json' : format
  if (asked === 'json' && output.json) output.answer(result, () => [])
  else if (asked === 'text') output.answer(result, () => renderChange(result, 'text').trimEnd().split('\n'))
  else machine.print(renderChange(result, asked))
}

/** Returns whether the operator consented: by `--trust`, by approving the folder before, or by answering yes at the terminal. */
async function consents(
  { output, machine, signal, dataDirectory }: CommandContext,
  { trust }: VerifyOptions,
  folders: readonly AskedCommands[],
): Promise<boolean> {
  if (trust === true) return true
  const directories = folders.map(({ directory }) => directory)
  const { readApprovedCommands } = await machine.data()
  if (mayRun(folders, await readApprovedCommands(dataDirectory, directories), [])) return true
  if (output.json || !machine.isTerminal()) return false
  const commands = folders.flatMap((folder) => folder.commands)
  output.remark(`To measure, these commands of the base are run in a sandbox: ${commands.join('; ')}`)
  return asksYes('Run them?', signal)
}
