import { z } from 'zod'
import type { AttemptSummary, WorkspaceState } from '../record/state.ts'
import { heartbeatStateSchema } from '../vocabulary/heartbeat.ts'
import { shownVerdictSchema, worstVerdict } from '../vocabulary/verdict.ts'

export const heartbeatSchema = z.object({
  state: heartbeatStateSchema,
  at: z.string(),
  finishedAt: z.string().nullable(),
  cycle: z.int().nullable(),
  count: z.int(),
  detail: z.string(),
  /** Worst verdict of its attempts, for the bar's color; `null` if none was given. */
  worst: shownVerdictSchema.nullable(),
})

export type Heartbeat = z.infer<typeof heartbeatSchema>

/** Recent heartbeats, newest first, each with the worst verdict of its attempts. */
export function heartbeatViews(state: WorkspaceState): Heartbeat[] {
  const attempts = new Map<number | null, AttemptSummary[]>()
  for (const attempt of state.attempts) {
    const ofCycle = attempts.get(attempt.cycle)
    if (ofCycle === undefined) attempts.set(attempt.cycle, [attempt])
    else ofCycle.push(attempt)
  }
  return state.heartbeats.flatMap(({ earlier = [], ...heartbeat }) => {
    const worst = worstVerdict(attempts.get(heartbeat.cycle) ?? [])
    return [heartbeat.at, ...earlier].map((at) => ({ ...heartbeat, at, worst }))
  })
}
