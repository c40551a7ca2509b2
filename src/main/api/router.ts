import type { HostService } from '../ports/host-service.ts'
import type { Log } from '../ports/log.ts'
import { createImplementer, named } from './implementer.ts'
import { liveEvents } from './live-events.ts'
import { agentsRoutes } from './routes/agents.ts'
import { attemptsRoutes } from './routes/attempts.ts'
import { configurationRoutes } from './routes/configuration.ts'
import { contractRoutes } from './routes/contract.ts'
import { heartbeatRoutes } from './routes/heartbeat.ts'
import { interventionsRoutes } from './routes/interventions.ts'
import { permissionsRoutes } from './routes/permissions.ts'
import { scoreRoutes } from './routes/score.ts'
import { desktopRoutes, settingsRoutes } from './routes/settings.ts'
import { setupRoutes } from './routes/setup.ts'
import { tasksRoutes } from './routes/tasks.ts'
import { timelineRoutes } from './routes/timeline.ts'
import { workspacesRoutes } from './routes/workspaces.ts'

/**
 * The API contract, carried out by `service`. Its `RequestProblem`s and refused input become the contract's typed errors;
 * anything else becomes INTERNAL, with the cause only in `log`.
 */
export function createRouter(service: HostService, log: Log) {
  const os = createImplementer(log)

  return os.router({
    status: os.status.handler(() => service.status()),
    score: scoreRoutes(os.score, service),
    workspaces: workspacesRoutes(os.workspaces, service),
    contract: contractRoutes(os.contract, service),
    tasks: tasksRoutes(os.tasks, service),
    heartbeat: heartbeatRoutes(os.heartbeat, service),
    interventions: interventionsRoutes(os.interventions, service),
    agents: agentsRoutes(os.agents, service),
    attempts: attemptsRoutes(os.attempts, service),
    permissions: permissionsRoutes(os.permissions, service),
    configuration: configurationRoutes(os.configuration, service),
    timeline: timelineRoutes(os.timeline, service),
    setup: setupRoutes(os.setup, service),
    settings: settingsRoutes(os.settings, service),
    desktop: desktopRoutes(os.desktop, service),
    events: os.events.handler(({ input, context, signal }) =>
      liveEvents(
        service,
        named(input ?? {}, context),
        [signal, context.stopping].filter((each) => each !== undefined),
      ),
    ),
  })
}
