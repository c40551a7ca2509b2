import { parsePermissionRules } from '../activity/permission-rule.ts'
import { parseHint } from '../contract/hint.ts'

interface Grants {
  readonly allow: readonly string[]
  readonly managesPermissions: boolean
  readonly writesUnasked?: boolean
}

interface Task {
  readonly id: string
  readonly verify: string
  readonly writesNoFiles: boolean
}

/** Functions in a check that require files written by the agent. */
const OF_FILES = ['changed', 'exists', 'contains', 'lines', 'json']

/**
 * Returns the tasks whose checks require files although `allow` grants no edit: an agent that is denied edits can't do them. Returns none
 * if the program's own arguments set its permissions, because Pulseward doesn't know those. Pure; never throws.
 */
export function tasksWithoutEditGrant(
  { allow, managesPermissions, writesUnasked }: Grants,
  tasks: readonly Task[],
  probeNames: readonly string[],
): readonly string[] {
  if (!managesPermissions || writesUnasked === true) return []
  if (parsePermissionRules(allow).some(({ tool }) => tool === 'edit')) return []
  return tasks
    .filter(({ verify, writesNoFiles }) => {
      const hint = parseHint(verify, probeNames)
      return (
        !writesNoFiles && hint.kind === 'expression' && hint.functions.some((name) => OF_FILES.includes(name))
      )
    })
    .map(({ id }) => id)
}
