import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function heartbeatRoutes(os: Implementer['heartbeat'], service: HostService) {
  return {
    run: os.run.handler(({ input, context }) => service.runNow(named(input, context), input.wait)),
    pause: os.pause.handler(({ input, context }) => service.pause(named(input, context), input.until)),
    resume: os.resume.handler(({ input, context }) => service.resume(named(input, context))),
    liftSuspension: os.liftSuspension.handler(({ input, context }) =>
      service.liftSuspension(named(input, context), input.reason),
    ),
  }
}
