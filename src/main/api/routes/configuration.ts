import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function configurationRoutes(os: Implementer['configuration'], service: HostService) {
  return {
    get: os.get.handler(({ input, context }) => service.configuration(named(input, context))),
    check: os.check.handler(({ input, context }) =>
      service.checkConfiguration(named(input, context), input.text, input.edits),
    ),
    put: os.put.handler(({ input, context }) =>
      service.writeConfiguration(named(input, context), input.text, input.hash, input.approve),
    ),
  }
}
