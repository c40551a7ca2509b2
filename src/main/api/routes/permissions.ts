import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function permissionsRoutes(os: Implementer['permissions'], service: HostService) {
  return {
    // Those of all workspaces where none is named: whoever can answer one can answer all.
    list: os.list.handler(({ input, context }) => service.permissions(named(input ?? {}, context))),
    answer: os.answer.handler(({ input }) => {
      service.answerPermission(input.id, input.answer)
      return { id: input.id, answer: input.answer }
    }),
  }
}
