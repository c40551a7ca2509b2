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

/** What in a hint asks for files that the agent has to write. */
const OF_FILES = ['changed', 'exists', 'contains', 'lines', 'json']

/**
 * The tasks whose checks ask for files while `allow` grants no edit: an agent that is refused there cannot do them. None where the
 * program's own arguments say what it may do, for those are not known here. Pure; never throws.
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
