import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function scoreRoutes(os: Implementer['score'], service: HostService) {
  return {
    get: os.get.handler(({ input, context }) => service.score(named(input, context))),
    history: os.history.handler(({ input, context }) => service.scoreHistory(named(input, context))),
    histories: os.histories.handler(() => service.scoreHistories()),
    feedback: os.feedback.handler(({ input, context }) => {
      const { feedback, attemptId, note } = input
      return service.giveFeedback(named(input, context), { feedback, attemptId, note })
    }),
  }
}
