import { FLEET_SETTINGS } from '../../core/configuration/fleet.ts'
import { defaultsOf } from '../../core/configuration/setting.ts'
import type { FleetWorkspaceFacts } from '../../core/fleet/presence.ts'
import type { MemberWorkspace } from '../fleet/member.ts'
import { factsOf } from './workspace-views.ts'
import type { Workspaces } from './workspaces.ts'

/** The workspaces of this host, as reported to its fleet. */
export function fleetWorkspaces(workspaces: Workspaces): readonly MemberWorkspace[] {
  return workspaces.all().map((runtime) => ({
    workspace: runtime.id,
    get name() {
      return runtime.name
    },
    dataDirectory: runtime.dataDirectory,
    seq: () => runtime.ledger.state.seq,
    facts: () => fleetFacts(factsOf(runtime)),
    attemptsDirectory: runtime.attemptsDirectory,
    allowed: () => runtime.loop.config?.fleet ?? defaultsOf(FLEET_SETTINGS),
    attempts: () => runtime.ledger.state.attempts,
  }))
}

/** Returns facts for the fleet, without the folder and without what its agents ask. */
function fleetFacts(facts: ReturnType<typeof factsOf>): FleetWorkspaceFacts {
  const { id, name, tags = [], agentId, trust, zone, standing, next } = facts
  const { dueMs, state, reason } = next
  return {
    id,
    name,
    tags: [...tags],
    agentId,
    trust,
    zone,
    standing: { ...standing },
    next: { dueMs, state, reason: reason.slice(0, 2_000) },
  }
}
