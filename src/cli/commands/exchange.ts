import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { readScoreFile } from '../../core/exchange/history.ts'
import { readFixPlan, readStories, type TakenTasks } from '../../core/exchange/ralph.ts'
import { counted } from '../../core/scoring/format.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { refuseOtherWorkspace } from '../refuse-other-workspace.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** What came over, and what did not, a sentence each. */
interface ImportReport {
  readonly workspace: string
  readonly taken: string[]
  readonly left: string[]
}

/** `export` and `import`: what other tools can read, and what other loops have left. */
export function addExchangeCommands(program: Command, run: RunCommand): void {
  program
    .command('export')
    .description(
      'write contract, configuration, score, progress, interventions and record of a workspace into a folder',
    )
    .argument('<DIR>', 'a folder that is empty or not there yet')
    .action(run(exportTo))
  program
    .command('import')
    .description("take over what ArgentOS or ralph left: tasks and a score's history, with a report of both")
    .argument('<DIR>', 'the folder in which it was left')
    .option('--into <DIR>', 'the workspace (default: the same folder)')
    .action(run(importFrom))
}

async function exportTo(context: CommandContext, folder: string): Promise<0> {
  const target = resolve(context.currentDirectory, folder)
  const { id, path } = await context.withHost((client) => chooseWorkspace(context, client))
  const files = await context.machine.exportWorkspace(context.dataDirectory, { id, path }, target)
  context.output.answer({ workspace: id, path: target, files }, () => [
    `Wrote ${counted(files.length, 'file')} to ${target}: ${files.join(', ')}.`,
  ])
  return 0
}

async function importFrom(
  context: CommandContext,
  folder: string,
  options: { into?: string },
): Promise<0 | 1> {
  const source = resolve(context.currentDirectory, folder)
  const target = resolve(context.currentDirectory, options.into ?? folder)
  await refuseOtherWorkspace(context, options.into ?? folder)
  if (!(await isDirectory(source))) throw usageError(`${source} is no folder.`)
  if (!(await isDirectory(target))) throw usageError(`${target} is no folder.`)
  const taken: string[] = []
  const left: string[] = []
  await takeContract(source, target, taken, left)
  const history = await historyIn(source, left)
  if (taken.length === 0 && history === null && left.length === 0) {
    throw usageError(
      `${source} has nothing of ArgentOS's (HEARTBEAT.md, heartbeat-score.json) or ralph's (prd.json, fix_plan.md) in it.`,
    )
  }
  const workspace = await context.withHost(async (client) => {
    const { id } = await client.workspaces.add({ path: target, trust: false })
    if (history === null) return id
    try {
      await client.score.importHistory({ workspace: id, history })
      taken.push(`heartbeat-score.json: ${counted(history.days.length, 'day')}, and the floor of the target.`)
    } catch (error) {
      left.push(`heartbeat-score.json: ${error instanceof Error ? error.message : String(error)}`)
    }
    return id
  })
  await showWhatStays(source, left)
  const report: ImportReport = { workspace, taken, left }
  context.output.answer(report, (paint) => [
    taken.length === 0 ? 'Nothing came over.' : 'Came over:',
    ...taken.map((each) => `  ${each}`),
    ...(left.length === 0 ? [] : [paint('warning', 'Did not:'), ...left.map((each) => `  ${each}`)]),
  ])
  return taken.length === 0 ? 1 : 0
}

/** The first of what may hold tasks; a contract that is there already is never written over. */
async function takeContract(source: string, target: string, taken: string[], left: string[]): Promise<void> {
  const contract = await read(join(source, 'HEARTBEAT.md'))
  const existing = await read(join(target, 'HEARTBEAT.md'))
  if (contract !== null && source === target) {
    taken.push('HEARTBEAT.md: it stays as it is.')
    return
  }
  const found =
    contract === null
      ? await foreignTasks(source, left)
      : { name: 'HEARTBEAT.md', text: contract, count: null }
  if (found === null) return
  if (existing !== null) {
    left.push(`${found.name}: ${join(target, 'HEARTBEAT.md')} is there already and is not written over.`)
    return
  }
  await writeFile(join(target, 'HEARTBEAT.md'), found.text, { flag: 'wx' })
  taken.push(
    found.count === null
      ? `${found.name}: as it is.`
      : `${found.name}: ${found.count} tasks, without hints; write how each is checked.`,
  )
}

const TASK_FILES: readonly (readonly [name: string, read: (text: string) => TakenTasks | string])[] = [
  ['prd.json', readStories],
  ['.ralph/prd.json', readStories],
  ['fix_plan.md', readFixPlan],
  ['@fix_plan.md', readFixPlan],
  ['.ralph/fix_plan.md', readFixPlan],
  ['.ralph/@fix_plan.md', readFixPlan],
]

async function foreignTasks(
  source: string,
  left: string[],
): Promise<{ readonly name: string; readonly text: string; readonly count: number } | null> {
  for (const [name, readTasks] of TASK_FILES) {
    const text = await read(join(source, name))
    if (text === null) continue
    const tasks = readTasks(text)
    if (typeof tasks === 'string') {
      left.push(`${name}: ${tasks}.`)
      continue
    }
    left.push(...tasks.left)
    return { name, text: tasks.contract, count: tasks.count }
  }
  return null
}

async function historyIn(source: string, left: string[]) {
  const text = await read(join(source, 'heartbeat-score.json'))
  if (text === null) return null
  const history = readScoreFile(text)
  if (typeof history !== 'string') return history
  left.push(`heartbeat-score.json: ${history}.`)
  return null
}

/** What no other program's word is taken for. */
const STAYS: readonly (readonly [name: string, why: string])[] = [
  ['heartbeat-progress.json', 'how its tasks stood: each is checked anew'],
  ['progress.txt', 'a diary in words: it stays where it is'],
  ['PROMPT.md', 'a prompt of its own: put what still counts into the notes of HEARTBEAT.md'],
  ['.ralph/PROMPT.md', 'a prompt of its own: put what still counts into the notes of HEARTBEAT.md'],
  ['.ralph/logs', 'logs: they stay where they are'],
  ['status.json', 'how its loop stood'],
  ['.circuit_breaker_state', 'how its loop stood'],
]

async function showWhatStays(source: string, left: string[]): Promise<void> {
  for (const [name, why] of STAYS) {
    const isThere = await stat(join(source, name)).then(
      () => true,
      () => false,
    )
    if (isThere) left.push(`${name}: ${why}.`)
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** `null` where it is not there. */
async function read(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) return null
  if (found.size > MAX_BYTES) throw usageError(`${path} is larger than 16 MiB.`)
  return readFile(path, 'utf8')
}
