import { z } from 'zod'
import {
  agentDiscoverySchema,
  agentFiguresSchema,
  agentProfileSchema,
  knownAgentSchema,
} from '../../core/read-model/agent.ts'
import { base, workspaceInput } from './base.ts'

export const agentsProcedures = {
  list: base
    .route({
      method: 'GET',
      path: '/agents',
      summary: 'The agents that ran here or are configured to, with profile and circuit breaker',
    })
    .input(workspaceInput)
    .output(z.array(knownAgentSchema)),
  figures: base
    .route({
      method: 'GET',
      path: '/agents/figures',
      summary: 'How the agents worked, day by day, and what they used',
    })
    .input(workspaceInput)
    .output(agentFiguresSchema),
  discover: base
    .route({ method: 'GET', path: '/agents/installed', summary: 'Agents on the host’s machine' })
    .output(agentDiscoverySchema),

  profile: base
    .route({ method: 'GET', path: '/agents/{id}/profile', summary: 'How one agent works' })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(agentProfileSchema),
}
