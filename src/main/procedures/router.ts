import { workspaceView } from '../host/workspace-views.ts'
import { agents } from './agents.ts'
import { attempts } from './attempts.ts'
import { attestations } from './attestations.ts'
import { changes } from './changes.ts'
import { channels } from './channels.ts'
import { configuration } from './configuration.ts'
import { contract } from './contract.ts'
import { fleet } from './fleet.ts'
import { heartbeat } from './heartbeat.ts'
import { named, os } from './implementer.ts'
import { interventions } from './interventions.ts'
import { landing } from './landing.ts'
import { liveEvents } from './live-events.ts'
import { notes } from './notes.ts'
import { permissions } from './permissions.ts'
import { proposals } from './proposals.ts'
import { review } from './review.ts'
import { score } from './score.ts'
import { seen } from './seen.ts'
import { hooks, sessions } from './sessions.ts'
import { desktop, settings } from './settings.ts'
import { setup } from './setup.ts'
import { tasks } from './tasks.ts'
import { timeline } from './timeline.ts'
import { diagnostics, updates } from './updates.ts'
import { workspaces } from './workspaces.ts'

/** The implementation of every procedure of the contract. */
export const router = os.router({
  status: os.status.handler(async ({ context: { host, readsOnly = false } }) => {
    await host.workspaces.whenFewAreOpen()
    return {
      version: host.version,
      startedAt: host.startedAt,
      dataDirectory: host.dataDirectory,
      readsOnly,
      isCentre: host.fleet.centre !== null,
      workspaces: host.workspaces.all().map(workspaceView),
      opening: [...host.workspaces.opening()],
      unopened: [...host.workspaces.unopened()],
    }
  }),
  score,
  workspaces,
  contract,
  tasks,
  heartbeat,
  interventions,
  notes,
  agents,
  attempts,
  attestations,
  changes,
  landing,
  review,
  seen,
  permissions,
  proposals,
  configuration,
  timeline,
  setup,
  sessions,
  hooks,
  settings,
  channels,
  fleet,
  updates,
  diagnostics,
  desktop,
  events: os.events.handler(async ({ input, context, signal }) => {
    const { workspaces } = context.host
    const workspace = named(input, context)
    await (workspace === undefined ? workspaces.whenFewAreOpen() : workspaces.whenOpen(workspace))
    return liveEvents(
      context.host,
      { workspace, stream: input?.stream },
      [signal, context.stopping].filter((each) => each !== undefined),
    )
  }),
})
