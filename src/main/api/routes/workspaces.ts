import type { HostService } from '../../ports/host-service.ts'
import type { Implementer } from '../implementer.ts'

export function workspacesRoutes(os: Implementer['workspaces'], service: HostService) {
  return {
    list: os.list.handler(() => service.listWorkspaces()),
    get: os.get.handler(({ input }) => service.workspace(input.id)),
    add: os.add.handler(({ input }) => service.addWorkspace(input.path, input.trust)),
    remove: os.remove.handler(async ({ input }) => {
      await service.removeWorkspace(input.id)
      return { removed: input.id }
    }),
    trust: os.trust.handler(({ input }) => service.trust(input.id)),
    approve: os.approve.handler(({ input }) => service.approve(input.id, input.hash)),
    openSample: os.openSample.handler(() => service.openSample()),
  }
}
