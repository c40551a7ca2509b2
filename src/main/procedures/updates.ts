import { os } from './implementer.ts'

export const updates = {
  status: os.updates.status.handler(({ context }) => context.host.updates.status()),
  check: os.updates.check.handler(({ context }) => context.host.updates.check()),
  install: os.updates.install.handler(({ input, context }) => context.host.updates.install(input?.version)),
  rollBack: os.updates.rollBack.handler(({ context }) => context.host.updates.rollBack()),
}

export const diagnostics = {
  get: os.diagnostics.get.handler(async ({ context }) => ({ text: await context.host.diagnose() })),
}
