import { VERDICT_WORDS } from '../vocabulary/verdict.ts'
import type { AttemptResult } from './events.ts'

/*
 * How OpenTelemetry names an agent's run and its evaluation (semantic conventions for generative AI, all in development). All of their
 * names are in this file, for the one version named here.
 */

export const GEN_AI_CONVENTIONS = 'open-telemetry/semantic-conventions-genai@002c8a6'

export const EVALUATION_EVENT = 'gen_ai.evaluation.result'

type Attributes = Readonly<Record<string, string | number>>

/** Returns the span attributes of an agent's run, including its judging. */
export function invocationAttributes(agentId: string): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agentId,
    'pulseward.gen_ai.conventions': GEN_AI_CONVENTIONS,
  }
}

/**
 * Returns the attributes of the event about an attempt; `null` if it has no verdict. Contains only our own words, nothing that an agent
 * wrote.
 */
export function evaluationAttributes(result: AttemptResult): Attributes | null {
  const { verdict, held, points, groundTruthContradiction, fault, attemptId } = result
  if (verdict === null) return null
  const words = [
    held === null ? VERDICT_WORDS[verdict].title : 'Held for review',
    ...(groundTruthContradiction ? ['a claim contradicts what was measured'] : []),
    ...(fault === null ? [] : [`fault: ${fault}`]),
  ]
  return {
    'gen_ai.evaluation.name': 'pulseward.verdict',
    'gen_ai.evaluation.score.label': held === null ? verdict : 'held',
    'gen_ai.evaluation.score.value': points,
    'gen_ai.evaluation.explanation': words.join('; '),
    'pulseward.attempt.id': attemptId,
  }
}
