import { lstat, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { parseContract } from '../../core/contract/parse.ts'
import type { ContractReport } from '../../core/read-model/contract-document.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import type { Paint } from '../output.ts'
import { refuseOtherFile } from '../refuse-other-workspace.ts'

const CONTRACT_NAME = 'HEARTBEAT.md'

export function addCheckCommand(program: Command, run: RunCommand): void {
  program
    .command('check')
    .description('parse and lint a contract')
    .argument('[FILE]', 'the contract, or its folder (default: ./HEARTBEAT.md)')
    .action(
      run(async (context, file: string | undefined) => {
        await refuseOtherFile(context, file)
        const path = await contractPath(context, file)
        const report = await check(context, path)
        const errors = report.diagnostics.filter(({ severity }) => severity === 'error').length
        context.output.answer(report, (paint) => describeContract(report, shortPath(context, path), paint))
        return errors > 0 ? 1 : 0
      }),
    )
}

async function contractPath(context: CommandContext, file: string | undefined): Promise<string> {
  const path = resolve(context.currentDirectory, file ?? context.workspaceArgument ?? '.')
  if (!(await isFolder(path))) return path
  const within = join(path, CONTRACT_NAME)
  // A folder where the contract file should be is an error, unless it is a workspace with that name.
  return basename(path) === CONTRACT_NAME && !(await isThere(within)) ? path : within
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  )
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function check({ machine, output }: CommandContext, path: string): Promise<ContractReport> {
  const file = await machine.readContract(path)
  if (!file.ok) throw usageError(file.reason)
  if (file.lossy) output.remark(`${path} is not UTF-8: unreadable bytes are shown as U+FFFD.`)
  const { names, problem, exitCodes, reportProbes = [] } = await machine.readProbeNames(dirname(path))
  if (problem !== null) output.remark(`${problem} No probe is known until that is corrected.`)
  const contract = parseContract(file.text, {
    probeNames: names,
    reportProbes,
    ...(exitCodes !== undefined && { exitCodes }),
  })
  const { tasks, context, diagnostics } = contract
  const hollow = await machine.hollowHints(contract, dirname(path), names)
  return {
    tasks: tasks.map(({ id, description, required, verify, maxAttempts, criteria, ...task }) => ({
      id,
      description,
      required,
      verify,
      maxAttempts,
      mayChange: [...task.mayChange],
      writesNoFiles: task.writesNoFiles,
      checked: task.checked,
      criteria: criteria.map(({ text }) => text),
      // In the order of the criteria, and only if at least one has its own check.
      ...(criteria.some((criterion) => criterion.verify !== null) && {
        criteriaHints: criteria.map((criterion) => criterion.verify),
      }),
      line: task.line,
    })),
    context,
    diagnostics: [
      ...diagnostics.map(({ severity, code, message, range }) => ({
        severity,
        code,
        message,
        line: range.start.line,
        column: range.start.column,
      })),
      ...hollow,
    ],
  }
}

function describeContract({ tasks, diagnostics }: ContractReport, path: string, paint: Paint): string[] {
  const taskLines = columns(
    tasks.map((task) => [
      `  ${task.checked ? '[x]' : '[ ]'} ${task.id}`,
      task.required ? 'required' : 'optional',
      task.verify,
    ]),
  )
  const problems = diagnostics.map(({ severity, code, message, line, column }) => {
    const place = `${path}:${line}:${column}`
    return `${place}: ${paint(severity === 'error' ? 'bad' : 'warning', severity)}: ${message} ${paint('quiet', `(${code})`)}`
  })
  return [`${path}: ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`, ...taskLines, ...problems]
}

function shortPath({ currentDirectory }: CommandContext, path: string): string {
  const short = relative(currentDirectory, path)
  return short === '' || short.startsWith('..') ? path : short
}
