import { z } from 'zod'
import {
  agentDiscoverySchema,
  agentFiguresSchema,
  agentProfileSchema,
  knownAgentSchema,
} from '../../core/read-model/agent.ts'
import { forPrograms, workspaceInput } from './base.ts'

export const agentsProcedures = {
  list: forPrograms
    .route({
      method: 'GET',
      path: '/agents',
      summary: 'The agents that ran here or are configured to, with profile and circuit breaker',
    })
    .input(workspaceInput)
    .output(z.array(knownAgentSchema)),
  figures: forPrograms
    .route({
      method: 'GET',
      path: '/agents/figures',
      summary: 'How the agents worked, day by day, and what they used',
    })
    .input(workspaceInput)
    .output(agentFiguresSchema),
  discover: forPrograms
    .route({ method: 'GET', path: '/agents/installed', summary: 'Agents on the host’s machine' })
    .output(agentDiscoverySchema),

  profile: forPrograms
    .route({ method: 'GET', path: '/agents/{id}/profile', summary: 'How one agent works' })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(agentProfileSchema),
}
