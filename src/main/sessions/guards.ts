import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileWrite, HookCall } from '../../core/session/hook-call.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { installedEvents, isBroken } from './hook-entries.ts'
import {
  type InstallationPlace,
  isInstalled,
  ownScript,
  switchesIn,
  wantedAgents,
  whyOff,
} from './installation.ts'
import { HOOK_PROGRAMS, type HookSwitch } from './programs.ts'

/** Where the guarding program keeps its hook, and the work tree from which it was called. */
export interface GuardPlace {
  /** `null`: the program has no such guard. */
  readonly agent: HookedAgent | null
  readonly place: InstallationPlace
  readonly top: string
  /** Folders whose project settings the program may read. */
  readonly projects: readonly string[]
}

export interface Refused {
  /** In the program's own format. */
  readonly document: Readonly<Record<string, unknown>>
  readonly path: string
  readonly reason: string
}

/** Blocks a settings change that removes the hook or switches it off. `null`: the change may take effect. */
export async function guardConfig(
  { configPath }: Pick<HookCall, 'configPath'>,
  { agent, place, projects }: GuardPlace,
): Promise<Refused | null> {
  // If the agent is no longer wanted, the operator removed its entry.
  if (agent === null || !(await wantedAgents(place.dataDirectory)).includes(agent)) return null
  const off = await whyOff(place, agent, projects)
  const isGone = off === null && !(await isInstalled(place, agent))
  if (off === null && !isGone) return null
  const path = off?.path ?? configPath ?? HOOK_PROGRAMS[agent].path(place)
  const fact = off?.reason ?? `the entry of Pulseward's hook is gone from ${path}`
  const reason = `This change would switch off the hook that verifies this session: ${fact}. The operator can remove it with: pulseward hook uninstall ${agent}`
  return { document: { decision: 'block', reason }, path, reason: `${fact}.` }
}

/** Blocks a tool from writing something that would switch the hook off. All other writes are allowed, even to the same file. */
export async function guardTool(
  call: Pick<HookCall, 'writes' | 'command' | 'cwd'>,
  { agent, ...where }: GuardPlace,
): Promise<Refused | null> {
  if (agent === null) return null
  const fact = disarmingCommand(call.command, where.place) ?? (await disarmingWrite(call, agent, where))
  if (fact === null) return null
  const reason = `This would switch off the hook that verifies this session: ${fact.reason}. The operator can remove it with: pulseward hook uninstall ${agent}`
  return { document: denial(agent, reason), path: fact.path, reason: `${fact.reason}.` }
}

/** Refuses a tool call, in its program's format. */
function denial(agent: HookedAgent, reason: string): Refused['document'] {
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason }
  switch (agent) {
    case 'gemini':
    case 'opencode':
      return { decision: 'deny', reason }
    case 'copilot':
      return decision
    case 'cursor':
      return { permission: 'deny', user_message: reason, agent_message: reason }
    default:
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } }
  }
}

interface Fact {
  readonly path: string
  readonly reason: string
}

const WRITES = />|\b(?:tee|sed|jq|cp|mv|python3?|node|perl|ruby|dd|install)\b/
const OFF_SWITCH = /\bdisableAllHooks\b/
/** These words have other uses too: they only count next to the name of a file in which programs look for them. */
const OTHER_SWITCH = /\b(?:hooksConfig|enableHooks|(?:codex_)?hooks["']? {0,9}= {0,9}false)\b/
const SWITCHED = /\.gemini\/settings|\.codex\/config/
/** Settings that contain the hook or can switch it off. */
const SETTINGS =
  /\.(?:claude|gemini|qwen|qoder)\/settings[\w.]*json|\.(?:codex|cursor)\/hooks\.json|\.copilot\/hooks|opencode\/plugin\/pulseward/
const REMOVES = /\b(?:rm|rmdir|mv|unlink|truncate|shred)\b/
const CHANGES = /\b(?:tee|chmod|chown|ln)\b/
const EDITS = /\b(?:sed|perl)\b/
const IN_PLACE = /\s-\w*i/
const COPIES = /\b(?:cp|dd|install|rsync)\b/
/** A shell starts a command after this. */
const STARTS = /[;&|(`\n]|-c[ \t]["']/
/** A word that only runs the command after it. */
const RUNNER = /^(?:sudo|env|npx|exec|command|nohup|time|\w{1,40}=.*|["']?(?:.*\/)?node["']?|--?[\w-]{1,40})$/
const PULSEWARD = /^["']?(?:[^"']*\/)?(?:pulseward(?:\.\w{1,4})?|hooks\/(hook)\.js)["']?$/
/** First words of commands with which an agent would answer for the operator or its program. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['hook install', 'hook uninstall', 'acp', 'session seen', 'trust', 'seen', 'overrule', 'review', 'stop'],
  // Commands in which only the program may report its sessions, never an agent.
  ...['hook prompt', 'hook start', 'hook stop', 'hook tool', 'hook config'],
  ...['landing land', 'landing drop', 'landing retry', 'proposals accept', 'proposals revert', 'feedback'],
])
const MAX_WORD = 400
const WITH_VALUE: ReadonlySet<string> = new Set(['--data-dir', '--workspace'])

/**
 * Returns what a shell command line does to the hook, judged by its words; `null`: nothing known. Takes linear time, because the host waits
 * and the agent chooses the command.
 */
function disarmingCommand(
  command: string | null,
  { dataDirectory, home }: Pick<InstallationPlace, 'dataDirectory' | 'home'>,
): Fact | null {
  if (command === null) return null
  for (const started of command.replace(/[ \t]+/g, ' ').split(STARTS)) {
    const named = operatorsIn(started)
    if (named !== null) return { path: '', reason: `\`pulseward ${named}\` is not for agents` }
  }
  const other = SWITCHED.test(command) ? OTHER_SWITCH.exec(command) : null
  const [off] = OFF_SWITCH.exec(command) ?? other ?? []
  if (off !== undefined && WRITES.test(command)) return { path: '', reason: `the command writes ${off}` }
  const own = ownFolder(dataDirectory, home)
  const [named, redirected] = [new RegExp(own, 'g'), new RegExp(`>\\s*["']?${own}`)]
  for (const part of command.split(/[;|&\n]/)) {
    if (SETTINGS.test(part) && REMOVES.test(part))
      return { path: '', reason: 'the command takes away a file of the hook' }
    const last = [...part.matchAll(named)].at(-1)
    if (last === undefined) continue
    const isChanged = REMOVES.test(part) || CHANGES.test(part) || editsInPlace(part)
    const isTarget = COPIES.test(part) && !/\s\S/.test(part.slice(last.index + last[0].length))
    if (isChanged || isTarget || redirected.test(part))
      return { path: dataDirectory, reason: 'the command writes into the data folder of Pulseward' }
  }
  return null
}

function editsInPlace(part: string): boolean {
  const at = part.search(EDITS)
  return at >= 0 && IN_PLACE.test(part.slice(at))
}

/** Returns the operator's command that a shell would start here; `null` if there is none. */
function operatorsIn(started: string): string | null {
  if (!/pulseward|hook\.js/.test(started)) return null
  const all = started.trim().split(/\s+/)
  const at = all.findIndex((word) => !RUNNER.test(word))
  const program = PULSEWARD.exec(all[at] ?? '')
  if (program === null) return null
  const words = all.slice(at + 1).map((word) => word.slice(0, MAX_WORD).replace(/^["']|["')]+$/g, ''))
  const plain = words.filter((word, at) => !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? ''))
  const [first = '', second = ''] = program[1] === undefined ? plain : [program[1], ...plain]
  return [first, `${first} ${second}`].find((one) => OPERATORS.has(one)) ?? null
}

/** Returns a pattern for the data folder in the forms a shell command can name it. */
function ownFolder(dataDirectory: string, home: string): string {
  const plain = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const below = dataDirectory.startsWith(`${home}/`) ? plain(dataDirectory.slice(home.length)) : null
  const start = below === null ? '' : String.raw`|(?:~|\$HOME|\$\{HOME\})${below}`
  return String.raw`(?:${plain(dataDirectory)}${start})(?![\w.-])`
}

async function disarmingWrite(
  { writes, cwd }: Pick<HookCall, 'writes' | 'cwd'>,
  agent: HookedAgent,
  { place, top, projects }: Omit<GuardPlace, 'agent'>,
): Promise<Fact | null> {
  const program = HOOK_PROGRAMS[agent]
  const [ownData, settings] = await Promise.all([place.dataDirectory, program.path(place)].map(realPathOf))
  const switches: readonly HookSwitch[] = [...program.userSwitches(place), ...switchesIn(program, projects)]
  for (const written of writes) {
    const named = written.path.replace(/^~(?=\/)/, place.home)
    const path = resolve(cwd ?? top, named)
    // Links lead somewhere else than their names suggest.
    const real = await realPathOf(path)
    if (real === ownData || real.startsWith(`${ownData}/`))
      return { path, reason: `${path} is a file of Pulseward’s own` }
    const isUsers = path === program.path(place) || real === settings
    const those = []
    for (const one of switches)
      if (one.path === path || (await realPathOf(one.path)) === real) those.push(one)
    if (!isUsers && those.length === 0) continue
    const text = await textAfter(path, written)
    if (text === null) continue
    const off = those.map(({ isOff }) => isOff(text)).find((reason) => reason !== null)
    if (off !== undefined) return { path, reason: `${off} in ${path}` }
    if (isUsers && isBroken(program, text)) return { path, reason: `invalid JSON in ${path}` }
    if (isUsers && !installedEvents(program, text, ownScript(place)).includes('stop'))
      return { path, reason: `the entry of Pulseward's hook would be gone from ${path}` }
  }
  return null
}

/** Returns the real path of a file, or the one it would have. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await realPathOf(parent), basename(path))
  }
}

const MAX_BYTES = 4 * 1024 * 1024

/** Returns a file's text after a tool's edit; `null` if it can't be determined. */
async function textAfter(path: string, edit: FileWrite): Promise<string | null> {
  if (edit.content !== null) return edit.content
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok) return null
  return edit.replacements.reduce(
    (text, { from, to, all }) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)),
    reading.bytes.toString('utf8'),
  )
}
