import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { ApiClient } from '../../api/client.ts'
import { type ImportedHistory, readScoreFile } from '../../core/exchange/history.ts'
import { parseLenientJson } from '../../core/exchange/lenient-json.ts'
import { readStories, readTaskList, type TakenTasks } from '../../core/exchange/ralph.ts'
import { readRalphConfig } from '../../core/exchange/ralph-config.ts'
import { counted } from '../../core/scoring/format.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { refuseOtherWorkspace } from '../refuse-other-workspace.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** What was imported and what was not, one sentence each. */
interface ImportReport {
  readonly workspace: string
  readonly taken: string[]
  readonly left: string[]
}

/** Adds `export`, which writes what other tools can read, and `import`, which reads what other loops left behind. */
export function addExchangeCommands(program: Command, run: RunCommand): void {
  program
    .command('export')
    .description(
      'write a workspace’s contract, configuration, score, progress, interventions and record into a folder',
    )
    .argument('<DIR>', 'a folder that is empty or does not exist yet')
    .action(run(exportTo))
  program
    .command('import')
    .description(
      'import what ArgentOS, ralph or ralph-gold left: tasks, score history, gates and runner, with a report of what was not imported',
    )
    .argument('<DIR>', 'the folder that contains it')
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
  // `memory` and `.ralph` are folders within a project, so the project is meant.
  const project = ['memory', '.ralph'].includes(basename(source)) ? dirname(source) : source
  const target = resolve(context.currentDirectory, options.into ?? project)
  await refuseOtherWorkspace(context, options.into ?? project)
  if (!(await isDirectory(source))) throw usageError(`${source} is no folder.`)
  if (!(await isDirectory(target))) throw usageError(`${target} is no folder.`)
  const found: Found = { taken: [], left: [] }
  await takeContract(project, target, found)
  await takeConfig(project, target, found)
  const history = await historyIn(project, found)
  if (found.taken.length === 0 && history === null && found.left.length === 0) {
    throw usageError(
      `${source} has nothing of ArgentOS (HEARTBEAT.md, memory/heartbeat-score.json), ralph (prd.json, fix_plan.md) or ralph-gold (.ralph/PRD.md, prd.json, tasks.yaml, ralph.toml) in it.`,
    )
  }
  if (!(await isFile(join(target, 'HEARTBEAT.md')))) {
    const why = found.left.length > 0 ? ` ${found.left.join(' ')}` : ''
    throw usageError(`No task came over, and a workspace needs a HEARTBEAT.md.${why}`)
  }
  const workspace = await context.withHost(async (client) => {
    const { id } = await client.workspaces.add({ path: target, trust: false })
    if (history !== null) await takeHistory(client, id, history, found)
    return id
  })
  await showWhatStays(project, found.left)
  const { taken, left } = found
  const report: ImportReport = { workspace, taken, left }
  context.output.answer(report, (paint) => [
    taken.length === 0 ? 'Nothing came over.' : 'Came over:',
    ...taken.map((each) => `  ${each}`),
    ...(left.length === 0 ? [] : [paint('warning', 'Did not:'), ...left.map((each) => `  ${each}`)]),
  ])
  return taken.length === 0 ? 1 : 0
}

type Found = Pick<ImportReport, 'taken' | 'left'>

/** Imports the first file that has tasks; never overwrites an existing contract. */
async function takeContract(source: string, target: string, { taken, left }: Found): Promise<void> {
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
    left.push(`${found.name}: ${join(target, 'HEARTBEAT.md')} already exists and is not overwritten.`)
    return
  }
  await writeFile(join(target, 'HEARTBEAT.md'), found.text, { flag: 'wx' })
  taken.push(
    found.count === null
      ? `${found.name}: as it is.`
      : `${found.name}: ${counted(found.count, 'task')}, without checks; write how each is checked.`,
  )
}

type ReadTasks = (text: string) => TakenTasks | string | Promise<TakenTasks | string>

const fromJson: ReadTasks = (text) => {
  const value = parseLenientJson(text)
  return value === undefined ? 'it is no JSON' : readStories(value)
}

const fromYaml: ReadTasks = async (text) => {
  const { parse } = await import('yaml')
  try {
    return readStories(parse(text, { maxAliasCount: 100 }))
  } catch (error) {
    return `it is no YAML (${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)})`
  }
}

/** Files that may have tasks, in order of preference: each name is tried in the top folder, then in `.ralph`. */
const TASK_FILES: readonly (readonly [name: string, read: ReadTasks])[] = [
  ['prd.json', fromJson],
  ['PRD.md', readTaskList],
  ['tasks.yaml', fromYaml],
  ['tasks.yml', fromYaml],
  ['tasks.json', fromJson],
  ['fix_plan.md', readTaskList],
  ['@fix_plan.md', readTaskList],
]

async function foreignTasks(
  source: string,
  left: string[],
): Promise<{ readonly name: string; readonly text: string; readonly count: number } | null> {
  let chosen: { readonly name: string; readonly text: string; readonly count: number } | null = null
  for (const folder of ['', '.ralph/']) {
    for (const [file, readTasks] of TASK_FILES) {
      const name = `${folder}${file}`
      const text = await read(join(source, name))
      if (text === null) continue
      if (chosen !== null) {
        left.push(`${name}: the tasks came from ${chosen.name}.`)
        continue
      }
      const tasks = await readTasks(text)
      if (typeof tasks === 'string') {
        left.push(`${name}: ${tasks}.`)
        continue
      }
      left.push(...tasks.left.map((each) => `${name}: ${each}`))
      chosen = { name, text: tasks.contract, count: tasks.count }
    }
  }
  return chosen
}

/** Writes a draft of pulseward.toml, which takes effect once the operator approves it; never overwrites an existing one. */
async function takeConfig(source: string, target: string, { taken, left }: Found): Promise<void> {
  for (const name of ['.ralph/ralph.toml', 'ralph.toml']) {
    const text = await read(join(source, name))
    if (text === null) continue
    const draft = readRalphConfig(text)
    if (typeof draft === 'string') {
      left.push(`${name}: ${draft}.`)
      continue
    }
    left.push(...draft.left.map((each) => `${name}: ${each}`))
    if (await isFile(join(target, 'pulseward.toml'))) {
      left.push(`${name}: ${join(target, 'pulseward.toml')} already exists and is not overwritten.`)
      continue
    }
    await writeFile(join(target, 'pulseward.toml'), draft.toml, { flag: 'wx' })
    const runner = draft.runner === null ? 'no runner' : `the runner ${draft.runner}`
    taken.push(
      `${name}: ${runner} and ${counted(draft.gates, 'gate')}, as a draft: read pulseward.toml, then \`pulseward trust\`.`,
    )
  }
}

/** ArgentOS keeps its score in `memory`, some versions beside the contract. */
const SCORE_FILES = [
  'heartbeat-score.json',
  'memory/heartbeat-score.json',
  'workspace/memory/heartbeat-score.json',
]

async function historyIn(source: string, { left }: Found) {
  for (const name of SCORE_FILES) {
    const text = await read(join(source, name))
    if (text === null) continue
    const reading = readScoreFile(text)
    if (typeof reading === 'string') {
      left.push(`${name}: ${reading}.`)
      continue
    }
    left.push(...reading.left.map((each) => `${name}: ${each}.`))
    return { name, history: reading.history }
  }
  return null
}

async function takeHistory(
  client: ApiClient,
  workspace: string,
  { name, history }: { readonly name: string; readonly history: ImportedHistory },
  { taken, left }: Found,
): Promise<void> {
  try {
    const { today } = await client.score.importHistory({ workspace, history })
    const archived = history.days.filter(({ date }) => date < today.date)
    const totals = history.lifetime === undefined ? '' : ', its lifetime totals'
    taken.push(`${name}: ${counted(archived.length, 'day')}${totals} and the floor of the target.`)
    for (const { date, score } of history.days.filter((day) => day.date >= today.date))
      left.push(`${name}: the ${score} points of ${date}: that day is not over, and starts at 0 here.`)
  } catch (error) {
    left.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Files of other programs that are not imported, and why. */
const STAYS: readonly (readonly [name: string, why: string])[] = [
  ['heartbeat-progress.json', 'task states: each task is checked again'],
  ['memory/heartbeat-progress.json', 'task states: each task is checked again'],
  ['progress.txt', 'a diary: it stays where it is'],
  ['.ralph/progress.md', 'a diary: it stays where it is'],
  ['PROMPT.md', 'a prompt: move what still applies into the notes of HEARTBEAT.md'],
  ['.ralph/PROMPT.md', 'a prompt: move what still applies into the notes of HEARTBEAT.md'],
  ['.ralph/PROMPT_build.md', 'a prompt: move what still applies into the notes of HEARTBEAT.md'],
  ['.ralph/AGENTS.md', 'instructions to its agents: move what still applies into the notes of HEARTBEAT.md'],
  ['.ralph/FEEDBACK.md', 'notes to its agents: move what still applies into the notes of HEARTBEAT.md'],
  ['.ralph/specs', 'specifications: name them in the notes of HEARTBEAT.md'],
  ['.ralph/state.json', 'the state of its loop'],
  ['.ralph/logs', 'logs: they stay where they are'],
  ['status.json', 'the state of its loop'],
  ['.circuit_breaker_state', 'the state of its loop'],
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

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** Returns the file's text; `null` if there is no such file. */
async function read(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile()) return null
  if (found.size > MAX_BYTES) throw usageError(`${path} is larger than 16 MiB.`)
  return readFile(path, 'utf8')
}
