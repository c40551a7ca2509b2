import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function interventionsRoutes(os: Implementer['interventions'], service: HostService) {
  return {
    list: os.list.handler(({ input, context }) => {
      const { last, type, severity, cursor } = input
      return service.interventions(named(input, context), { last, type, severity, cursor })
    }),
    metrics: os.metrics.handler(({ input, context }) => service.interventionMetrics(named(input, context))),
    reset: os.reset.handler(({ input, context }) => service.resetInterventions(named(input, context))),
  }
}
