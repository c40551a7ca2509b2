import { RequestProblem } from '../../api/request-problem.ts'
import { CONFIRMATION } from '../../core/vocabulary/permission.ts'
import { withoutWord } from '../authority/request-origin.ts'
import { named, os } from './implementer.ts'

export const permissions = {
  // Those of all workspaces where none is named: whoever can answer one can answer all.
  list: os.permissions.list.handler(({ input, context }) => {
    const { permissions: desk, workspaces } = context.host
    const id = named(input, context)
    return desk.waiting(id === undefined ? undefined : workspaces.get(id).id)
  }),
  answer: os.permissions.answer.handler(async ({ input, context }) => {
    const asked = context.host.permissions.waiting(undefined).find(({ id }) => id === input.id)
    // What nobody can trace does not confirm what nobody can trace.
    const refusal = asked?.tool === CONFIRMATION && input.answer === 'allowed' ? await withoutWord() : null
    if (refusal !== null) throw new RequestProblem('conflict', refusal)
    context.host.permissions.answer(input.id, input.answer)
    return { id: input.id, answer: input.answer }
  }),
}
