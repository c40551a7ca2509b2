import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function attemptsRoutes(os: Implementer['attempts'], service: HostService) {
  return {
    list: os.list.handler(({ input, context }) =>
      service.attempts(named(input, context), input.limit, input.cursor),
    ),
    get: os.get.handler(({ input, context }) => service.attempt(named(input, context), input.id)),
    files: os.files.handler(({ input, context }) => service.attemptFiles(named(input, context), input.id)),
    overrule: os.overrule.handler(({ input, context }) =>
      service.overrule(named(input, context), input.id, input.verdict, input.reason),
    ),
  }
}
