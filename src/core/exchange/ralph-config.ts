import { split } from 'shlex'
import { readToml, type TomlTable, type TomlValue } from '../text/toml-document.ts'

/** A draft of pulseward.toml for the operator to read and approve, and what it leaves out of the other file. */
export interface ConfigDraft {
  readonly toml: string
  /** The number of its gates. */
  readonly gates: number
  /** The runner that it was made from; `null` if there was none. */
  readonly runner: string | null
  readonly left: readonly string[]
}

/** Sections that have no counterpart, or that a draft doesn't decide. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  git: 'commits and branches are up to the agent here',
  parallel: 'see [workspace] and [landing]',
  tracker: 'tasks are in HEARTBEAT.md',
  watch: 'heartbeats run on a schedule',
  authorization: 'see [agent] sandbox and `may_change`',
}
const MAX_GATES = 50

/** Reads the runners, gates and limits of a ralph-gold `ralph.toml`, or returns the reason in words. Never throws. */
export function readRalphConfig(text: string): ConfigDraft | string {
  const reading = readToml(text)
  if (!reading.ok) return `line ${reading.problem.line}: ${reading.problem.message}`
  const { root } = reading.document
  const left: string[] = []
  const agent = agentOf(table(root.runners), left)
  const gates = gatesOf(table(root.gates), left)
  for (const [section, why] of Object.entries(NOT_TAKEN))
    if (section in root) left.push(`[${section}]: ${why}.`)
  const loop = table(root.loop)
  const seconds = loop.runner_timeout_seconds
  const timeout = typeof seconds === 'number' ? Math.min(3600, Math.max(60, Math.floor(seconds))) : null
  if (typeof seconds === 'number' && timeout !== seconds)
    left.push(
      `[loop] runner_timeout_seconds ${seconds}: taken as ${timeout}, which is within the limits here.`,
    )
  if ('max_attempts_per_task' in loop)
    left.push(
      `[loop] max_attempts_per_task ${show(loop.max_attempts_per_task)}: write it on a task line as \`max_attempts: N\`.`,
    )
  if (agent === null && gates.length === 0) return 'it has no [runners] and no [gates] commands'
  const toml = [
    '# A draft from ralph.toml. Read it, then approve it: pulseward trust',
    ...(agent === null ? [] : ['', '[agent]', ...agent.lines]),
    ...(gates.length === 0
      ? []
      : ['', '[gates]', 'commands = [', ...gates.map((gate) => `  ${list(gate)},`), ']']),
    ...(timeout === null ? [] : ['', '[adaptive_timeout]', `mode_timeout = ${timeout}`]),
    '',
  ].join('\n')
  return { toml, gates: gates.length, runner: agent?.name ?? null, left }
}

function agentOf(
  runners: TomlTable,
  left: string[],
): { readonly name: string; readonly lines: readonly string[] } | null {
  const found = Object.entries(runners).flatMap(([name, runner]) => {
    const argv = table(runner).argv
    if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string'))
      return [{ name, argv: argv.filter((word) => typeof word === 'string') }]
    left.push(`[runners.${name}] argv: expected a list of words, found ${show(argv)}.`)
    return []
  })
  const [first, ...others] = found
  for (const { name } of others)
    left.push(`[runners.${name}]: a workspace has one agent; the draft has ${first?.name}.`)
  if (first === undefined) return null
  // "-" reads the prompt from standard input; otherwise it replaces `{prompt}`, or follows the last word.
  const isPiped = first.argv.includes('-')
  const command = first.argv.filter((word) => word !== '{prompt}')
  if (command.some((word) => word.includes('{prompt}')))
    left.push(`[runners.${first.name}]: its prompt is inside a word; here it is the last argument.`)
  return {
    name: first.name,
    lines: [
      `id = ${JSON.stringify(first.name)}`,
      'kind = "command"',
      `command = ${list(command)}`,
      `prompt = "${isPiped ? 'stdin' : 'argument'}"`,
    ],
  }
}

function gatesOf(gates: TomlTable, left: string[]): readonly (readonly string[])[] {
  for (const name of ['llm_judge', 'review', 'prek', 'smart'])
    if (table(gates[name]).enabled === true) left.push(`[gates.${name}]: see [judge] and [gates].`)
  const { commands } = gates
  if (commands === undefined) return []
  if (!Array.isArray(commands)) {
    left.push(`[gates] commands: expected a list, found ${show(commands)}.`)
    return []
  }
  return commands.slice(0, MAX_GATES).flatMap((command, index): (readonly string[])[] => {
    const words = wordsOf(command)
    if (words === null)
      left.push(`[gates] commands ${index + 1}: expected a command, found ${show(command)}.`)
    return words === null ? [] : [words]
  })
}

/** Matches shell syntax. A command with such syntax stays one string. */
const SHELL = /[|&;<>()$`*?[\]{}~\n]|^\w+=/

function wordsOf(command: TomlValue): readonly string[] | null {
  if (Array.isArray(command))
    return command.length > 0 && command.every((word) => typeof word === 'string')
      ? command.filter((word) => typeof word === 'string')
      : null
  if (typeof command !== 'string' || command.trim() === '') return null
  if (SHELL.test(command.trim())) return ['sh', '-c', command.trim()]
  try {
    return split(command)
  } catch {
    return ['sh', '-c', command.trim()]
  }
}

function table(value: TomlValue | undefined): TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) ? value : {}
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60)
}
