import { breakerStep } from '../../../core/intervention/breaker.ts'
import { composeFeedback, MAX_FEEDBACK_BYTES } from '../../../core/intervention/feedback.ts'
import { gravest, untruthInWords } from '../../../core/read-model/lockdown-message.ts'
import type { CycleContext } from '../cycle-context.ts'

/** The feedback for one prompt, and what to record about it. */
export interface RunFeedback {
  /** The body of the prompt's section; empty if there is nothing to say. */
  readonly text: string
  /** `null` if no feedback was shown. */
  readonly shown: { readonly messages: number; readonly aggressive: boolean } | null
}

const NO_FEEDBACK: RunFeedback = { text: '', shown: null }

/** Returns the feedback on earlier attempts of these tasks, and the reinforcement while the breaker is tripped. */
export function composeRunFeedback(
  context: Pick<CycleContext, 'ports' | 'config'>,
  taskIds: readonly string[],
): RunFeedback {
  const { ports, config } = context
  if (!config.interventions.enabled) return NO_FEEDBACK
  const { feedback } = ports.ledger.state
  const breaker = profileOf(context)?.breaker
  const { text, messages, aggressive } = composeFeedback(feedback, {
    nowMs: ports.clock.nowMs(),
    rotationDays: config.interventions.feedbackRotationDays,
    maxBytes: MAX_FEEDBACK_BYTES,
    taskIds,
    breakerReason: breaker?.state === 'open' ? breaker.reason : null,
  })
  return text === '' ? NO_FEEDBACK : { text, shown: { messages: messages.length, aggressive } }
}

/**
 * Updates the circuit breaker after a run of the agent, or a review of its work, and records the outcome. Resolves with whether the
 * workspace is now suspended for manual review: then nothing more may run.
 */
export async function stepBreaker(
  context: Pick<CycleContext, 'ports' | 'config' | 'cycle'>,
): Promise<boolean> {
  const { ports, config } = context
  const profile = profileOf(context)
  if (!config.interventions.enabled || profile === undefined) return false
  const step = breakerStep(profile, {
    noFiles: config.interventions.thresholdNoFiles,
    windowIterations: config.interventions.windowIterations,
    falseCompletions: config.interventions.thresholdFalseCompletion,
    aggressiveMode: config.interventions.aggressiveMode,
  })
  if (step.state === profile.breaker.state) return false
  const changed = { type: 'breaker-changed' as const, agentId: config.agent.id, ...step }
  if (step.state !== 'tripped') {
    await ports.ledger.append(changed)
    return false
  }
  await ports.ledger.append(changed, { type: 'suspended', reason: step.reason })
  const untrue = gravest(ports.ledger.state)
  ports.notifier.notify({
    key: `suspended:${ports.id}:${context.cycle}`,
    about: 'suspension',
    workspaceId: ports.id,
    title:
      untrue === null
        ? `${ports.name} is suspended for review`
        : `${ports.name}: ${untruthInWords(untrue)} Suspended for review.`,
    body: `${step.reason}. Nothing runs here until you review what the agent did and resume it.`,
  })
  return true
}

function profileOf({ ports, config }: Pick<CycleContext, 'ports' | 'config'>) {
  const { profiles } = ports.ledger.state
  return Object.hasOwn(profiles, config.agent.id) ? profiles[config.agent.id] : undefined
}
