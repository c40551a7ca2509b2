import { RequestProblem } from '../../api/request-problem.ts'
import type { HostParts } from '../host/host-parts.ts'
import { os } from './implementer.ts'

export const channels = {
  list: os.channels.list.handler(({ context }) => [...context.host.channels.list()]),
  put: os.channels.put.handler(({ input, context }) => context.host.channels.put(input)),
  change: os.channels.change.handler(async ({ input, context: { host } }) => {
    const view = await host.channels.change(input)
    if (view === null) throw unknown(input.name, host)
    return view
  }),
  remove: os.channels.remove.handler(async ({ input, context: { host } }) => {
    if (!(await host.channels.remove(input.name))) throw unknown(input.name, host)
    return { removed: input.name }
  }),
  test: os.channels.test.handler(async ({ input, context: { host } }) => {
    const receipt = await host.channels.test(input.name)
    if (receipt === null) throw unknown(input.name, host)
    return receipt
  }),
  receipts: os.channels.receipts.handler(({ input, context }) => [
    ...context.host.channels.receipts(input.limit),
  ]),
}

function unknown(name: string, { channels: known }: HostParts): RequestProblem {
  const names = known.list().map((channel) => channel.name)
  const which =
    names.length === 0 ? 'none is set up: `pulseward channels add` does' : `known are ${names.join(', ')}`
  return new RequestProblem('not-found', `There is no channel ${JSON.stringify(name)}; ${which}.`)
}
