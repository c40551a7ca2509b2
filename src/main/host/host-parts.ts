import type { DiscoveredAgent } from '../../core/read-model/agent.ts'
import type { Channels } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { EventHub } from './event-hub.ts'
import type { EventLoopDelay } from './event-loop-delay.ts'
import type { PermissionDesk } from './permissions.ts'
import type { AppSettings } from './settings.ts'
import type { Workspaces } from './workspaces.ts'

/** What a host is made of, as far as its procedures work with it. */
export interface HostParts {
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly dataDirectory: string
  /** Where the embedded sample lies. */
  readonly sampleDirectory: string
  /** Where an opened sample is written: beside the data, in a folder a person can open. */
  readonly sampleTarget: string
  readonly templatesDirectory: string
  readonly homeDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly hub: EventHub
  readonly eventLoopDelay: () => EventLoopDelay
  readonly workspaces: Workspaces
  readonly permissions: PermissionDesk
  readonly notifier: Notifier
  /** Where else the operator is notified. */
  readonly channels: Channels
  readonly settings: AppSettings
  /** `null`: the host runs without a desktop. */
  readonly desktop: DesktopIntegration | null
  readonly discoverAgents: () => Promise<DiscoveredAgent[]>
}
