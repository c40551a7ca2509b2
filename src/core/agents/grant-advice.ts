import { askPolicy } from '../activity/grants.ts'
import { parsePermissionRule, parsePermissionRules, type ToolKind } from '../activity/permission-rule.ts'
import type { PresetId } from './programs.ts'
import { AGENT_PROGRAMS } from './programs.ts'

/** What was denied, and the entry of `allow` that would grant it. */
export interface Refusal {
  readonly tool: string
  readonly target: string
  readonly grant: string | null
}

export interface GrantSettings {
  readonly program: PresetId
  readonly managesPermissions: boolean
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

const MAX_NAMED = 3

/** Returns what was denied, as a sentence. */
export function refusalInWords(refusals: readonly Refusal[]): string {
  const named = distinct(refusals.map(({ tool, target }) => (target === '' ? tool : `${tool} ${target}`)))
  const more = named.length > MAX_NAMED ? `, and ${named.length - MAX_NAMED} more` : ''
  return `It was denied a tool: ${named.slice(0, MAX_NAMED).join('; ')}${more}.`
}

/** Returns how the operator grants what was denied, in that program's settings or arguments. */
export function grantAdvice(refusals: readonly Refusal[], settings: GrantSettings): string {
  const wanted = distinct(refusals.flatMap(({ grant }) => grant ?? []))
  if (wanted.length === 0) return 'Grant it in the permissions of the agent program.'
  const [first = ''] = wanted
  if (!settings.managesPermissions) return adviceForCommand(first, settings.program)
  const refused = refusals.find(({ grant }) => grant === first)
  const refusing = settings.deny.find((entry) => mayRefuse(entry, first, refused?.target ?? ''))
  if (refusing !== undefined)
    return `"${refusing}" is in deny under [agent] in pulseward.toml. Remove it if the agent should have it.`
  if (
    parsePermissionRules(settings.allow).some(
      ({ tool, pattern }) => tool === toolOf(first) && pattern === null,
    )
  )
    return `"${toolOf(first)}" is allowed within the workspace. ${settings.program} itself protects this path, or it is outside. Its own settings can grant it.`
  const entries = wanted.slice(0, MAX_NAMED).map((entry) => JSON.stringify(entry))
  return `Add ${entries.join(' and ')} to allow under [agent] in pulseward.toml.`
}

function adviceForCommand(grant: string, program: PresetId): string {
  if (program === 'opencode')
    return `Allow ${toolOf(grant) ?? grant} in "permission" of opencode.json, or use preset = "opencode" with allow = [${JSON.stringify(grant)}].`
  const rule = parsePermissionRule(grant)
  const grants = AGENT_PROGRAMS[program].print?.grants({ allow: rule === null ? [] : [rule], deny: [] })
  const words = grants?.arguments.join(' ') ?? ''
  return words === ''
    ? `Grant ${grant} in the permissions of ${program}.`
    : `Add ${words} to [agent] command in pulseward.toml.`
}

/** Returns whether an entry of `deny` can have refused a target. A path is the program's own name for it, so any may match. */
function mayRefuse(entry: string, grant: string, target: string): boolean {
  const kind = toolOf(grant)
  if (kind === undefined || kind !== toolOf(entry)) return false
  if ((kind !== 'execute' && kind !== 'fetch') || target === '') return true
  return askPolicy({ kind, command: target, address: target, paths: [] }, [], [entry]).kind === 'denied'
}

function toolOf(entry: string): ToolKind | undefined {
  return parsePermissionRule(entry)?.tool
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
