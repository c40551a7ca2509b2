import { landingView, landingViews } from '../../core/read-model/landing.ts'
import { os, workspaceOf } from './implementer.ts'
import { noAttempt } from './no-attempt.ts'

/** The longest patch that is shown. */
const MAX_PATCH_BYTES = 512 * 1024

export const landing = {
  list: os.landing.list.handler(({ input, context }) => ({
    landing: [...landingViews(workspaceOf(input, context).ledger.state)],
  })),
  show: os.landing.show.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const entry = runtime.ledger.state.landings.find(({ attemptId }) => attemptId === input.id)
    if (entry === undefined) throw noAttempt(runtime, input.id)
    return { landing: landingView(entry), patch: await runtime.landing.patch(entry, MAX_PATCH_BYTES) }
  }),
  answer: os.landing.answer.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const entry = await runtime.landing.answer(input.id, input.answer)
    context.host.workspaces.changed(runtime)
    return { landing: landingView(entry) }
  }),
}
