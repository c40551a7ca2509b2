import { z } from 'zod'
import { agentProfileSchema } from '../schemas/agent.ts'
import { base, workspaceInput } from './base.ts'

export const agentsProcedures = {
  profile: base
    .route({ method: 'GET', path: '/agents/{id}/profile', summary: 'How one agent works' })
    .input(workspaceInput.extend({ id: z.string() }))
    .output(agentProfileSchema),
}
