import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function contractRoutes(os: Implementer['contract'], service: HostService) {
  return {
    get: os.get.handler(({ input, context }) => service.contract(named(input, context))),
    put: os.put.handler(({ input, context }) =>
      service.writeContract(named(input, context), input.text, input.hash),
    ),
    check: os.check.handler(({ input, context }) => service.checkContract(named(input, context), input.text)),
    preview: os.preview.handler(({ input, context }) =>
      service.previewPrompt(named(input, context), input.taskId, input.text),
    ),
    tryHint: os.tryHint.handler(({ input, context }) =>
      service.tryHint(named(input, context), input.taskId, input.text),
    ),
    dryRun: os.dryRun.handler(({ input, context }) => service.dryRun(named(input, context), input.text)),
  }
}
