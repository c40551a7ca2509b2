import { tasksWithoutEditGrant } from '../../../core/agents/missing-edit-grant.ts'
import { MAX_ADDED_TASKS } from '../../../core/cycle/added-tasks.ts'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import type { CycleContext } from '../cycle-context.ts'
import { isIsolated } from '../isolation.ts'

/** A check is called hollow after passing before the attempt, with nothing changed, in this many cycles in a row. */
const HOLLOW_AFTER_CYCLES = 3

/** Raises what the configuration makes impossible, once until it is approved again. */
export function configFindings(context: CycleContext): readonly EventBody[] {
  return [...editNotGranted(context), ...parallelWithoutTrees(context)]
}

/** Raises `edit-not-granted` if tasks ask for files but the agent may not edit any. Raises nothing while that notice is open. */
function editNotGranted({ ports, config, tasks, probeNames }: CycleContext): readonly EventBody[] {
  const stuck = tasksWithoutEditGrant(config.agent, tasks, probeNames)
  const isSaid = ports.ledger.state.notices.some(({ code }) => code === 'edit-not-granted')
  if (stuck.length === 0 || isSaid) return []
  const message = `\`allow\` under [agent] grants no edit, and ${stuck.slice(0, 3).join(', ')}${stuck.length > 3 ? ' and others ask' : stuck.length === 1 ? ' asks' : ' ask'} for files. Add "edit" to allow in pulseward.toml, or answer when the agent asks.`
  return [{ type: 'diagnostic-raised', code: 'edit-not-granted', taskId: null, message }]
}

/** Raises `parallel-without-trees` if `parallel` has no effect. Raises nothing while that notice is open. */
function parallelWithoutTrees({ ports, config }: CycleContext): readonly EventBody[] {
  const { parallel } = config.workspace
  const isSaid = ports.ledger.state.notices.some(({ code }) => code === 'parallel-without-trees')
  if (parallel === 1 || isIsolated(config) || isSaid) return []
  const message = `\`parallel = ${parallel}\` has no effect: tasks that share the folder would be judged by each other's files. Set \`isolation = "worktree"\` under [workspace] in pulseward.toml, or remove \`parallel\`.`
  return [{ type: 'diagnostic-raised', code: 'parallel-without-trees', taskId: null, message }]
}

/** Records `tasks-left-out`: how many tasks added by agents await the operator. Once per number. */
export async function reportLeftAlone({ ports, proposed, leftOut }: CycleContext): Promise<void> {
  const count = proposed.size + leftOut
  const message = `${count} tasks that agents added to HEARTBEAT.md wait for your answer. At most ${MAX_ADDED_TASKS} of such are tried in a heartbeat, in turn and at no points${leftOut > 0 ? `; ${leftOut} of them are not, because too much was added at once` : ''}. Accept or revert them (\`pulseward proposals\`), or take them out of the file.`
  if (ports.ledger.state.notices.some((notice) => notice.message === message)) return
  await ports.ledger.append({ type: 'diagnostic-raised', code: 'tasks-left-out', taskId: null, message })
}

/** A checked task, and the failing check: its own or one of its criteria's. */
export interface ContradictedTick {
  readonly taskId: string
  readonly hint: string
}

/** Raises `tick-contradicted`: a box is checked, but its check fails. */
export function checkContradicted({ taskId, hint }: ContradictedTick): EventBody {
  return {
    type: 'diagnostic-raised',
    code: 'tick-contradicted',
    taskId,
    message: `The box of ${taskId} is checked in HEARTBEAT.md, but \`${hint}\` fails. The task is opened anyway.`,
  }
}

/** Records `hollow-hint` for each task of these attempts whose check has just become hollow. */
export async function reportHollowHints(
  context: CycleContext,
  attempts: readonly AttemptResult[],
): Promise<void> {
  const { ledger } = context.ports
  for (const task of context.tasks.filter(({ id }) => attempts.some(({ taskId }) => taskId === id))) {
    if (ledger.state.heldBeforeRuns[task.id] !== HOLLOW_AFTER_CYCLES) continue
    await ledger.append({
      type: 'diagnostic-raised',
      code: 'hollow-hint',
      taskId: task.id,
      message: `\`${task.verify}\` of ${task.id} already passed before the attempt in ${HOLLOW_AFTER_CYCLES} cycles running, with nothing changed: it checks nothing. Ask for something that the work has to produce.`,
    })
  }
}
