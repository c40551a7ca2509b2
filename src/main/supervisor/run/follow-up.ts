import { joinActivity } from '../../../core/activity/join.ts'
import { resumedFigures } from '../../../core/agents/own-report.ts'
import { feedbackFor } from '../../../core/intervention/feedback-text.ts'
import { buildReportSection } from '../../../core/prompt/report-section.ts'
import type { AttemptResult, RaisedIntervention } from '../../../core/record/events.ts'
import type { AgentRequest, AgentRun } from '../../ports/agent-runner.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { JudgedRun } from '../judging/judge-run.ts'
import { traceAgent } from '../trace.ts'

/** Whether the operator wants a further prompt after an agent ends its turn with a contradiction, and the agent can take one. */
export function mayFollowUp({ agent, config }: CycleContext): boolean {
  const { enabled, midStream } = config.interventions
  return enabled && midStream === 'same-session' && agent.followUp !== undefined
}

/** If less time than this is left of an attempt, a further prompt is not worth sending. */
const LEAST_LEFT_MS = 5_000

/**
 * Sends one corrective prompt into the running session if the agent ended its turn with a contradiction, the operator wants that
 * (`mid_stream = "same-session"`) and the agent has sessions; then judges the result. Otherwise the first judgment stands, and feedback
 * waits for the next iteration.
 */
export async function followUpOnce(
  context: CycleContext,
  request: AgentRequest,
  judged: JudgedRun,
  judgeAgain: (run: AgentRun) => Promise<JudgedRun>,
): Promise<JudgedRun> {
  const { agent, config, cycle, ports } = context
  const prompt = correctivePrompt(judged.results, cycle)
  const usedMs = judged.results[0]?.durationMs ?? 0
  const timeoutMs = request.timeoutMs - usedMs
  if (!mayFollowUp(context) || agent.followUp === undefined || prompt === null) return judged
  if (timeoutMs < LEAST_LEFT_MS || request.signal.aborted) return judged

  const followUp = agent.followUp.bind(agent)
  ports.checkMemory?.agentStarts()
  const run = await traceAgent(context, timeoutMs / 1000, () =>
    followUp({ ...request, prompt, timeoutMs, keepSession: false }),
  )
  // If the session could not be resumed, the run stays as it was.
  if (run.outcome === 'unavailable') return judged
  const again = await judgeAgain(withFirstTurn(judged, run, config.agent))
  const results = again.results.map((result, index) => joinResults(judged.results[index], result, prompt))
  return { ...again, results }
}

/** Adds the first turn's activity to the second's: a claim of the second turn may be about work done in the first. */
function withFirstTurn({ results }: JudgedRun, run: AgentRun, agent: AgentConfig): AgentRun {
  const activity = joinActivity(results[0]?.activity ?? null, run.activity ?? null, resumedFigures(agent))
  return activity === null ? run : { ...run, activity }
}

/** Returns what was false, and how to report again; `null` if nothing was. */
function correctivePrompt(results: readonly AttemptResult[], cycle: number): string | null {
  const corrections = results.flatMap(({ taskId, interventions }) =>
    interventions
      .filter(({ event_type }) => event_type === 'false_completion_detected')
      .map((intervention) => ({ taskId, text: feedbackFor(intervention, cycle, taskId) ?? '' })),
  )
  if (corrections.length === 0) return null
  const taskIds = [...new Set(corrections.map(({ taskId }) => taskId))]
  const texts = corrections.map(({ text }) => text)
  return [...texts, buildReportSection(taskIds, taskIds.length > 1)].join('\n\n')
}

/** Returns one attempt for two turns: judged by the second, with the interventions of both, each event once. */
function joinResults(first: AttemptResult | undefined, second: AttemptResult, prompt: string): AttemptResult {
  if (first === undefined) return second
  const injected: RaisedIntervention = {
    event_type: 'mid_stream_prompt_injected',
    severity: 'info',
    details: { task_id: second.taskId, prompt_characters: prompt.length },
  }
  const isFalse = first.interventions.some(({ event_type }) => event_type === 'false_completion_detected')
  const interventions = [...first.interventions, ...(isFalse ? [injected] : [])]
  const known = new Set(interventions.map(({ event_type }) => event_type))
  return {
    ...second,
    // The prompt of the second turn is feedback, like that of a next attempt.
    feedbackShown: second.feedbackShown || isFalse,
    durationMs: first.durationMs + second.durationMs,
    interventions: [
      ...interventions,
      ...second.interventions.filter(({ event_type }) => !known.has(event_type)),
    ],
  }
}
