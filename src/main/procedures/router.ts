import { workspaceView } from '../host/workspace-views.ts'
import { agents } from './agents.ts'
import { attempts } from './attempts.ts'
import { channels } from './channels.ts'
import { configuration } from './configuration.ts'
import { contract } from './contract.ts'
import { heartbeat } from './heartbeat.ts'
import { named, os } from './implementer.ts'
import { interventions } from './interventions.ts'
import { liveEvents } from './live-events.ts'
import { notes } from './notes.ts'
import { permissions } from './permissions.ts'
import { proposals } from './proposals.ts'
import { review } from './review.ts'
import { score } from './score.ts'
import { desktop, settings } from './settings.ts'
import { setup } from './setup.ts'
import { tasks } from './tasks.ts'
import { timeline } from './timeline.ts'
import { workspaces } from './workspaces.ts'

/** Every procedure of the contract, carried out. */
export const router = os.router({
  status: os.status.handler(({ context: { host } }) => ({
    version: host.version,
    startedAt: host.startedAt,
    dataDirectory: host.dataDirectory,
    workspaces: host.workspaces.all().map(workspaceView),
  })),
  score,
  workspaces,
  contract,
  tasks,
  heartbeat,
  interventions,
  notes,
  agents,
  attempts,
  review,
  permissions,
  proposals,
  configuration,
  timeline,
  setup,
  settings,
  channels,
  desktop,
  events: os.events.handler(({ input, context, signal }) =>
    liveEvents(
      context.host,
      named(input, context),
      [signal, context.stopping].filter((each) => each !== undefined),
    ),
  ),
})
