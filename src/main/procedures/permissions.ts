import { named, os } from './implementer.ts'

export const permissions = {
  // Without a workspace, returns those of all: a caller that can answer one can answer all.
  list: os.permissions.list.handler(({ input, context }) => {
    const { permissions: desk, workspaces } = context.host
    const id = named(input, context)
    return desk.waiting(id === undefined ? undefined : workspaces.get(id).id)
  }),
  answer: os.permissions.answer.handler(({ input, context }) => {
    context.host.permissions.answer(input.id, input.answer)
    return { id: input.id, answer: input.answer }
  }),
}
