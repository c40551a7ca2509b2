import { RequestProblem } from '../../api/request-problem.ts'
import { attestChange } from '../attestation/attest-change.ts'
import { readBranches } from '../change/branches.ts'
import { ChangeProblem } from '../change/repository.ts'
import { gitOf, ringOf } from '../host/attest-recorded.ts'
import { os, workspaceOf } from './implementer.ts'

/** Runs `pulseward verify` for the page: starts it, reports its progress and cancels it. */
export const changes = {
  get: os.changes.get.handler(({ input, context }) =>
    context.host.changes.state(workspaceOf(input, context).id),
  ),
  branches: os.changes.branches.handler(async ({ input, context }) => {
    const { directory } = workspaceOf(input, context)
    try {
      return { repository: await readBranches(directory) }
    } catch (error) {
      if (!(error instanceof ChangeProblem)) throw error
      if (error.exitCode === 2) return { repository: null }
      throw new RequestProblem('unprocessable', error.message, { cause: error })
    }
  }),
  verify: os.changes.verify.handler(({ input: { workspace: _, consentTo, ...request }, input, context }) => {
    const runtime = workspaceOf(input, context)
    context.host.changes.start(runtime, request, consentTo)
    return context.host.changes.state(runtime.id)
  }),
  cancel: os.changes.cancel.handler(async ({ input, context }) => {
    const { id } = workspaceOf(input, context)
    await context.host.changes.cancel(id)
    return context.host.changes.state(id)
  }),
  attest: os.changes.attest.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const verdict = context.host.changes.verdict(runtime.id, input.id)
    if (verdict === null)
      throw new RequestProblem('conflict', 'That verdict is no longer the last one. Verify the change again.')
    const key = await ringOf(context.host).signingKey()
    const { directory } = runtime
    const envelopes = await attestChange(verdict, { directory, git: gitOf(runtime), key })
    if (envelopes.length === 0)
      throw new RequestProblem(
        'unprocessable',
        `There is nothing to attest: ${verdict.reasons[0] ?? 'nothing was judged'}.`,
      )
    const { commit, tree, dirty } = verdict.head
    return { commit: dirty ? null : commit, tree, envelopes: [...envelopes] }
  }),
}
