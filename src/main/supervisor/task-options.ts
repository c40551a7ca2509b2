import { withModel } from '../../core/agents/with-model.ts'
import { type Hint, parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { claimsCompletion } from '../../core/verification/completion.ts'
import type { CycleContext } from './cycle-context.ts'
import { earlierAttempts } from './earlier-answers.ts'
import { holdsWithoutAgents } from './idle.ts'
import { measure } from './measure.ts'
import { measureEarlier, runsCommands } from './measure-earlier.ts'

/**
 * Ids of the tasks whose `when:` does not hold now: they are left alone by this heartbeat, and nothing is scored. One that cannot be
 * measured is tried: a broken probe must not silence the supervisor. So is one that an agent made false and did not do. Those of
 * `leftAlone` are not asked.
 */
export async function waitingTasks(
  context: CycleContext,
  leftAlone: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const { tasks, probeNames, verifier, signal } = context
  const waits = tasks.map(async ({ id, when, checked }) => {
    if (when === null || checked || leftAlone.has(id)) return []
    const hint = parseHint(when, probeNames)
    // What an attempt changed cannot be asked before it.
    if (hint.kind !== 'expression' || hint.functions.includes('changed')) return []
    const { expression } = await measure(verifier, hint, null, probeNames, [], signal)
    if (expression?.kind !== 'value' || expression.holds) return []
    return (await isAgentsDoing(context, id, hint)) ? [] : [id]
  })
  return new Set((await Promise.all(waits)).flat())
}

/**
 * Whether a condition holds but for what agents did: to its check, or to what it reads in attempts at this task that were refuted though
 * they said done, as far as that still stands. Work that is done may make it false, and who says that he failed lost nothing by it.
 */
async function isAgentsDoing(context: CycleContext, taskId: string, hint: Hint): Promise<boolean> {
  const { ports, config, signal } = context
  if (runsCommands(hint, config) && (await holdsWithoutAgents(ports, config, hint.source, signal)))
    return true
  const attemptIds = await refutedClaims(context, taskId)
  if (attemptIds.length === 0) return false
  const files = await ports.undo.filesBefore(attemptIds, { write: [], remove: [] })
  if (files === null) return false
  const measured = await measureEarlier(context, hint, files, [])
  return measured?.expression?.kind === 'value' && measured.expression.holds
}

/** The attempts at a task since it was last verified that said done and were refuted; newest first. */
async function refutedClaims(
  { ports: { ledger } }: CycleContext,
  taskId: string,
): Promise<readonly string[]> {
  const refuted = ledger.state.attempts.filter(
    (attempt) => attempt.taskId === taskId && attempt.verdict === 'not_verified' && attempt.fault === 'agent',
  )
  if (refuted.length === 0) return []
  const since = new Set((await earlierAttempts(ledger, taskId)).attemptIds)
  const asked = refuted.filter(({ attemptId }) => since.has(attemptId))
  const claims = asked.map(async ({ attemptId, seq }) => {
    const [event] = await ledger.read(seq, 1)
    return event?.type === 'attempt-finished' && claimsCompletion(event.result.claim) ? [attemptId] : []
  })
  return (await Promise.all(claims)).flat()
}

/** The context in which these tasks are run: with the model that their line asks for, which is one for all of them. */
export function withModelOf(context: CycleContext, [first]: readonly TaskDefinition[]): CycleContext {
  const model = first?.model ?? null
  if (model === null) return context
  const { ports } = context
  const config = { ...context.config, agent: withModel(context.config.agent, model) }
  return { ...context, config, agent: ports.createAgent(config) }
}
