import { z } from 'zod'
import {
  agentDiscoverySchema,
  agentFiguresSchema,
  agentProfileSchema,
  knownAgentSchema,
} from '../../core/read-model/agent.ts'
import { forPrograms, get, workspaceInput } from './base.ts'

export const agentsProcedures = {
  list: forPrograms
    .route(get('/agents', 'The agents that ran here or are configured to, with profile and circuit breaker'))
    .input(workspaceInput)
    .output(z.array(knownAgentSchema)),
  figures: forPrograms
    .route(get('/agents/figures', 'How the agents worked, day by day, and what they used'))
    .input(workspaceInput)
    .output(agentFiguresSchema),
  discover: forPrograms
    .route(get('/agents/installed', 'Agents on the host’s machine'))
    .output(agentDiscoverySchema),

  profile: forPrograms
    .route(get('/agents/{id}/profile', 'How one agent works'))
    .input(workspaceInput.extend({ id: z.string() }))
    .output(agentProfileSchema),
}
