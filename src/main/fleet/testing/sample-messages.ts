import { type FleetWorkspaceFacts, type Presence, unknownFacts } from '../../../core/fleet/presence.ts'
import type { EventBody } from '../../../core/record/events.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../../ledger/line.ts'
import { noteEvent } from '../../ledger/testing/sample-events.ts'
import type { HubMessage } from '../centre-store.ts'

/* Sample messages that a host sends to the center. */

/** Presence of a host at that time by its own clock. */
export const presence = (atMs: number, group: string | null = null): Presence => ({
  v: 1,
  version: '1.2.3',
  instance: 'one',
  at: new Date(atMs).toISOString(),
  group,
  labels: [],
  workspaces: 1,
  halted: [],
})

/** Facts of a workspace with these tags. */
export const facts = (id: string, tags: string[]): FleetWorkspaceFacts => ({
  ...unknownFacts(id),
  tags,
  agentId: 'claude',
  trust: 'approved',
})

/** Returns the lines of a record, one per minute, starting at `hour`. */
export const record = (
  workspace: string,
  place: number,
  events: readonly EventBody[],
  hour = 10,
): readonly HubMessage[] =>
  linesOf(
    workspace,
    place,
    events.map((event, index) => [new Date(Date.UTC(2026, 2, 1, hour, index)).toISOString(), event]),
  )

/** Returns the lines of a record with one event at noon of each of these days. */
export const recordOfDays = (
  workspace: string,
  place: number,
  days: readonly (readonly [day: string, event: EventBody])[],
): readonly HubMessage[] =>
  linesOf(
    workspace,
    place,
    days.map(([day, event]) => [`${day}T12:00:00.000Z`, event]),
  )

function linesOf(
  workspace: string,
  place: number,
  events: readonly (readonly [at: string, event: EventBody])[],
): readonly HubMessage[] {
  let prev = GENESIS_HASH
  return events.map(([at, event], index) => {
    const data = encodeLine({ seq: index + 1, at, day: at.slice(0, 10) }, prev, encodeBody(event))
    const hash = hashLine(data)
    prev = hash
    return {
      workspace,
      place: place + index,
      data,
      header: (name: string) => (name === 'Pw-Hash' ? hash : ''),
    }
  })
}

/** The first line of a record. */
export const line = (workspace: string, place: number): HubMessage => {
  const [first] = record(workspace, place, [noteEvent(workspace)])
  if (first === undefined) throw new Error('there is one')
  return first
}
