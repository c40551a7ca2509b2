import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function agentsRoutes(os: Implementer['agents'], service: HostService) {
  return {
    list: os.list.handler(({ input, context }) => service.agents(named(input, context))),
    figures: os.figures.handler(({ input, context }) => service.agentFigures(named(input, context))),
    discover: os.discover.handler(() => service.discoverAgents()),
    profile: os.profile.handler(({ input, context }) =>
      service.agentProfile(named(input, context), input.id),
    ),
  }
}
