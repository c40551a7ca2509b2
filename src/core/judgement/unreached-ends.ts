import { checkScriptOf } from '../custody/failing-end.ts'
import type { VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import type { Setting } from './questions.ts'

/** Run once more each. */
const MAX_COMMANDS = 3

/**
 * Returns the commands, of those that speak by their exit code alone, that pass with a failing end too: something ends them before they have
 * checked everything. `room`: paths that are as in the baseline.
 */
export function* findUnreachedEnds(
  { after, criteria = [] }: VerdictInput,
  room: readonly string[],
): Asking<readonly string[]> {
  const commands = [{ after }, ...criteria].flatMap(({ after: { expression } }) =>
    expression?.kind === 'value' ? (expression.byExitCodeAlone ?? []) : [],
  )
  const unreached: string[] = []
  for (const command of [...new Set(commands)].slice(0, MAX_COMMANDS)) {
    const script = checkScriptOf(command)
    if (script === null) continue
    const setting: Setting = {
      room: room.filter((path) => path !== script.path),
      earlier: { kind: 'failing-end', ...script },
    }
    const made = yield* ask({ kind: 'room', setting })
    if (made.kind === 'none') continue
    const [answer] = yield* ask({ kind: 'commands', commands: [command], setting, turn: 1 })
    if (answer?.kind === 'value' && answer.holds) unreached.push(command)
  }
  return unreached
}
