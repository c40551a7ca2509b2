import type { HostService } from '../../ports/host-service.ts'
import type { Implementer } from '../implementer.ts'

export function setupRoutes(os: Implementer['setup'], service: HostService) {
  return {
    templates: os.templates.handler(async () => ({ templates: await service.templates() })),
    folders: os.folders.handler(({ input }) => service.folders(input.path)),
    inspect: os.inspect.handler(({ input }) => service.inspectFolder(input.path)),
    check: os.check.handler(({ input }) => service.checkNewConfiguration(input.text, input.edits)),
    tryOut: os.tryOut.handler(({ input }) => service.tryOut(input.path, input.contract, input.configuration)),
    create: os.create.handler(({ input }) => service.createWorkspace(input)),
  }
}
