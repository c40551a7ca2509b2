import type { DiscoveredAgent } from '../../core/read-model/agent.ts'
import type { Channels } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { Fleet } from '../ports/fleet.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Updates } from '../ports/updates.ts'
import type { InstallationPlace } from '../sessions/installation.ts'
import type { SessionDesk } from '../sessions/session-desk.ts'
import type { ChangeDesk } from './change-desk.ts'
import type { EventHub } from './event-hub.ts'
import type { EventLoopDelay } from './event-loop-delay.ts'
import type { PermissionDesk } from './permissions.ts'
import type { AppSettings } from './settings.ts'
import type { Workspaces } from './workspaces.ts'

/** The parts of a host that its procedures use. */
export interface HostParts {
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly dataDirectory: string
  /** Folder of the embedded sample. */
  readonly sampleDirectory: string
  /** Where an opened sample is written: next to the data, in a folder that a person can open. */
  readonly sampleTarget: string
  readonly templatesDirectory: string
  readonly homeDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly hub: EventHub
  readonly eventLoopDelay: () => EventLoopDelay
  readonly workspaces: Workspaces
  readonly permissions: PermissionDesk
  /** Changes that the operator asked to verify. */
  readonly changes: ChangeDesk
  /** Runs of agents that were not started by Pulseward. */
  readonly sessions: SessionDesk
  /** Called when workspaces start to open; hooks get the index once all are open. */
  readonly beginSessions: () => void
  /** Where agents' programs keep their hooks. */
  readonly hookPlace: InstallationPlace
  readonly notifier: Notifier
  /** The channels through which the operator is also notified. */
  readonly channels: Channels
  /** The hub that this host sends its records to, if it has one. */
  readonly fleet: Fleet
  readonly settings: AppSettings
  /** Other versions of Pulseward. */
  readonly updates: Updates
  /** Returns what to attach to a bug report, without secrets. Never rejects. */
  readonly diagnose: () => Promise<string>
  /** `null`: the host runs without a desktop. */
  readonly desktop: DesktopIntegration | null
  readonly discoverAgents: () => Promise<DiscoveredAgent[]>
  /** Aborted when the host begins to stop, so that trials in progress end too. */
  readonly ending: AbortSignal
}
