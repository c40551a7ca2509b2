import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { agentsProcedures } from './procedures/agents.ts'
import { attemptsProcedures } from './procedures/attempts.ts'
import { attestationsProcedures } from './procedures/attestations.ts'
import { forPrograms, get } from './procedures/base.ts'
import { changesProcedures } from './procedures/changes.ts'
import { channelsProcedures } from './procedures/channels.ts'
import { configurationProcedures } from './procedures/configuration.ts'
import { contractProcedures } from './procedures/contract.ts'
import { fleetProcedures } from './procedures/fleet.ts'
import { heartbeatProcedures } from './procedures/heartbeat.ts'
import { interventionsProcedures } from './procedures/interventions.ts'
import { landingProcedures } from './procedures/landing.ts'
import { notesProcedures } from './procedures/notes.ts'
import { permissionsProcedures } from './procedures/permissions.ts'
import { proposalsProcedures } from './procedures/proposals.ts'
import { reviewProcedures } from './procedures/review.ts'
import { scoreProcedures } from './procedures/score.ts'
import { seenProcedures } from './procedures/seen.ts'
import { hooksProcedures, sessionsProcedures } from './procedures/sessions.ts'
import { desktopProcedures, settingsProcedures } from './procedures/settings.ts'
import { setupProcedures } from './procedures/setup.ts'
import { tasksProcedures } from './procedures/tasks.ts'
import { timelineProcedures } from './procedures/timeline.ts'
import { diagnosticsProcedures, updatesProcedures } from './procedures/updates.ts'
import { streamNameSchema, workspacesProcedures } from './procedures/workspaces.ts'
import { hostStatusSchema } from './schemas/host.ts'
import { liveEventSchema } from './schemas/live-event.ts'

/*
 * The API's one typed contract: procedures over a MessagePort (`/rpc` for browsers) and, at the paths given here, plain HTTP
 * with OpenAPI. Clients import this file and the schemas, never an implementation.
 */

export const contract = {
  status: forPrograms.route(get('/status', 'The host and all workspaces')).output(hostStatusSchema),
  score: scoreProcedures,
  workspaces: workspacesProcedures,
  contract: contractProcedures,
  tasks: tasksProcedures,
  heartbeat: heartbeatProcedures,
  interventions: interventionsProcedures,
  notes: notesProcedures,
  agents: agentsProcedures,
  attempts: attemptsProcedures,
  attestations: attestationsProcedures,
  changes: changesProcedures,
  landing: landingProcedures,
  review: reviewProcedures,
  seen: seenProcedures,
  permissions: permissionsProcedures,
  proposals: proposalsProcedures,
  configuration: configurationProcedures,
  timeline: timelineProcedures,
  setup: setupProcedures,
  sessions: sessionsProcedures,
  hooks: hooksProcedures,
  settings: settingsProcedures,
  channels: channelsProcedures,
  fleet: fleetProcedures,
  updates: updatesProcedures,
  diagnostics: diagnosticsProcedures,
  desktop: desktopProcedures,

  /** Over HTTP this is `GET /api/events`, written by the server itself so that each event has its name. */
  events: forPrograms
    .input(z.object({ workspace: z.string().optional(), stream: streamNameSchema.optional() }).optional())
    .output(eventIterator(liveEventSchema)),
}

export type ApiContract = typeof contract
