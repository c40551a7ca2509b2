import { realpathSync } from 'node:fs'
import { RequestProblem } from '../api/request-problem.ts'
import { serviceDefinition } from '../main/service/definition.ts'
import { installService, removeService, type ServiceState, serviceState } from '../main/service/service.ts'

const ACTIONS = { install: installService, status: serviceState, remove: removeService } as const

/** Controls `serve` for a data folder as a service of this user, run by the same Node.js and the same files as this command. */
export async function controlService(
  action: keyof typeof ACTIONS,
  dataDirectory: string,
  {
    environment,
    homeDirectory,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly homeDirectory: string
  },
): Promise<ServiceState> {
  const script = realpathSync(process.argv[1] ?? '')
  const definition = serviceDefinition(process.platform, {
    command: [process.execPath, script, 'serve', '--data-dir', dataDirectory],
    searchPath: environment.PATH ?? '',
    home: homeDirectory,
    configHome: environment.XDG_CONFIG_HOME?.startsWith('/') === true ? environment.XDG_CONFIG_HOME : null,
    userId: process.getuid?.() ?? 0,
  })
  if (definition === null) {
    throw new RequestProblem(
      'unprocessable',
      `Services of users are not known to Pulseward on ${process.platform}: start \`pulseward serve\` with this system’s own tools.`,
    )
  }
  return ACTIONS[action](definition)
}
