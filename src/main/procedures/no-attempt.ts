import { RequestProblem } from '../../api/request-problem.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** Returns the error for a request about an attempt that does not exist. */
export function noAttempt(runtime: WorkspaceRuntime, id: string): RequestProblem {
  const latest = runtime.ledger.state.attempts[0]?.attemptId
  const hint = latest === undefined ? 'nothing has run yet' : `the latest is ${latest}`
  return new RequestProblem(
    'not-found',
    `There is no attempt ${JSON.stringify(id)} in ${runtime.name}; ${hint}.`,
  )
}
