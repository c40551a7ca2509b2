import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function agentsRoutes(os: Implementer['agents'], service: HostService) {
  return {
    profile: os.profile.handler(({ input, context }) =>
      service.agentProfile(named(input, context), input.id),
    ),
  }
}
