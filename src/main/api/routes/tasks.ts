import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function tasksRoutes(os: Implementer['tasks'], service: HostService) {
  return {
    list: os.list.handler(({ input, context }) => service.tasks(named(input, context))),
    blocked: os.blocked.handler(({ input, context }) =>
      service.blockedTasks(named(input, context), input.suggest),
    ),
    unblock: os.unblock.handler(({ input, context }) => {
      const { id, reason, timeoutSeconds, timeoutMultiplier } = input
      return service.unblock(named(input, context), id, { reason, timeoutSeconds, timeoutMultiplier })
    }),
    unblockLevel: os.unblockLevel.handler(({ input, context }) => {
      const { filter, reason, timeoutSeconds, timeoutMultiplier } = input
      const how = { reason, timeoutSeconds, timeoutMultiplier }
      return service.unblockLevel(named(input, context), filter, how)
    }),
    unblockMany: os.unblockMany.handler(({ input, context }) => {
      const { ids, reason, timeoutSeconds, timeoutMultiplier } = input
      return service.unblockMany(named(input, context), ids, { reason, timeoutSeconds, timeoutMultiplier })
    }),
    undoUnblock: os.undoUnblock.handler(({ input, context }) =>
      service.undoUnblock(named(input, context), input.ids),
    ),
    retryBlocked: os.retryBlocked.handler(({ input, context }) =>
      service.retryBlocked(named(input, context), input.maxAttempts),
    ),
    sweep: os.sweep.handler(({ input, context }) => service.sweepBlocked(named(input, context))),
  }
}
