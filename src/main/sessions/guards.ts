import { isAbsolute, join, resolve } from 'node:path'
import type { HookCall } from '../../core/session/hook-call.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'
import { readBoundedFile } from '../files/bounded-file.ts'
import { installedEvents } from './hook-entries.ts'
import { type InstallationPlace, isInstalled, whyOff } from './installation.ts'
import { HOOK_PROGRAMS, type HookSwitch } from './programs.ts'

/** Where a program that guards its hook is, and in which work tree it was called. */
export interface GuardPlace {
  /** `null`: a program without such a guard. */
  readonly agent: HookedAgent | null
  readonly place: InstallationPlace
  readonly top: string
}

export interface Refused {
  /** In the program's own form. */
  readonly document: Readonly<Record<string, unknown>>
  readonly path: string
  readonly reason: string
}

/** Keeps a change of settings from taking effect that drops the hook. `null`: it may. */
export async function guardConfig(
  { configPath }: Pick<HookCall, 'configPath'>,
  { agent, place, top }: GuardPlace,
): Promise<Refused | null> {
  if (agent === null) return null
  const off = await whyOff(place, agent, [top])
  const isGone = off === null && !(await isInstalled(place, agent))
  if (off === null && !isGone) return null
  const path = off?.path ?? configPath ?? HOOK_PROGRAMS[agent].path(place)
  const fact = off?.reason ?? `the entry of Pulseward's hook is gone from ${path}`
  const reason = `This change would switch off the hook that verifies this session: ${fact}. The operator takes it out with: pulseward hook uninstall ${agent}`
  return { document: { decision: 'block', reason }, path, reason: `${fact}.` }
}

/** Keeps a tool from writing what would switch the hook off. Every other write, to the same file too, goes on. */
export async function guardTool(
  call: Pick<HookCall, 'writes' | 'edit' | 'command' | 'cwd'>,
  { agent, place, top }: GuardPlace,
): Promise<Refused | null> {
  if (agent === null) return null
  const fact = disarmingCommand(call.command) ?? (await disarmingWrite(call, agent, { place, top }))
  if (fact === null) return null
  const reason = `This would switch off the hook that verifies this session: ${fact.reason}. The operator takes it out with: pulseward hook uninstall ${agent}`
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason }
  return {
    document: { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } },
    path: fact.path,
    reason: `${fact.reason}.`,
  }
}

interface Fact {
  readonly path: string
  readonly reason: string
}

const WRITES = />|\b(?:tee|sed|jq|cp|mv|python3?|node|perl|ruby|dd|install)\b/
const HOOK_FILES = /\.(?:claude\/settings[\w.]*json|codex\/hooks\.json|pulseward\/hooks)|hooks\/hook\.js/

/** What the command line of a shell does to the hook, as far as its words tell; `null`: nothing that is known. */
function disarmingCommand(command: string | null): Fact | null {
  if (command === null) return null
  if (/\bpulseward["']?\s+(?:\S+\s+)*?hook\s+uninstall\b/.test(command))
    return { path: '', reason: '`pulseward hook uninstall` is the operator’s' }
  if (/\bdisableAllHooks\b/.test(command) && WRITES.test(command))
    return { path: '', reason: 'the command writes disableAllHooks' }
  const removed = new RegExp(`\\b(?:rm|mv|unlink|truncate|shred)\\b[^;|&\\n]*(?:${HOOK_FILES.source})`).exec(
    command,
  )
  return removed === null ? null : { path: '', reason: 'the command takes away a file of the hook' }
}

async function disarmingWrite(
  { writes, edit, cwd }: Pick<HookCall, 'writes' | 'edit' | 'cwd'>,
  agent: HookedAgent,
  { place, top }: Pick<GuardPlace, 'place' | 'top'>,
): Promise<Fact | null> {
  const program = HOOK_PROGRAMS[agent]
  const switches: readonly HookSwitch[] = [
    ...program.userSwitches(place),
    ...program.switches.map((one) => ({ ...one, path: join(top, one.path) })),
  ]
  for (const written of writes) {
    const path = isAbsolute(written) ? resolve(written) : resolve(cwd ?? top, written)
    const isUsers = path === program.path(place)
    const those = switches.filter((one) => one.path === path)
    if (!isUsers && those.length === 0) continue
    const text = await textAfter(path, edit)
    if (text === null) continue
    const off = those.map(({ isOff }) => isOff(text)).find((reason) => reason !== null)
    if (off !== undefined) return { path, reason: `${off} in ${path}` }
    if (isUsers && !installedEvents(program, text).includes('stop'))
      return { path, reason: `the entry of Pulseward's hook would be gone from ${path}` }
  }
  return null
}

const MAX_BYTES = 4 * 1024 * 1024

/** What a file would hold after a tool's edit; `null`: that cannot be told. */
async function textAfter(path: string, edit: HookCall['edit']): Promise<string | null> {
  if (edit.content !== null) return edit.content
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (!reading.ok) return null
  return edit.replacements.reduce(
    (text, { from, to, all }) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)),
    reading.bytes.toString('utf8'),
  )
}
