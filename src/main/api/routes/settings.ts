import type { HostService } from '../../ports/host-service.ts'
import type { Implementer } from '../implementer.ts'

export function settingsRoutes(os: Implementer['settings'], service: HostService) {
  return {
    get: os.get.handler(() => service.settings()),
    put: os.put.handler(({ input }) => service.changeSettings(input.changes, input.hash)),
  }
}

export function desktopRoutes(os: Implementer['desktop'], service: HostService) {
  return {
    capabilities: os.capabilities.handler(() => service.desktopCapabilities()),
    chooseFolder: os.chooseFolder.handler(async () => ({ path: await service.chooseFolder() })),
    openPath: os.openPath.handler(async ({ input }) => ({ opened: await service.openTarget(input.target) })),
  }
}
