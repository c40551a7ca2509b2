import { z } from 'zod'

/** How one agent works, as in `interventions/profile.json`. */
export const agentProfileSchema = z.object({
  agent_id: z.string(),
  total_iterations: z.number().int(),
  no_files_count: z.number().int(),
  false_completion_count: z.number().int(),
  avg_files_per_iteration: z.number(),
  avg_evidence_count: z.number(),
  last_reinforcement: z.string().nullable(),
  intervention_threshold_exceeded: z.boolean(),
})

export type AgentProfile = z.infer<typeof agentProfileSchema>
