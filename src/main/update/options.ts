import type { Clock } from '../ports/clock.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { Installation } from './installation.ts'

export interface UpdatesOptions {
  readonly dataDirectory: string
  readonly version: string
  /** The path of the installation's `updates.json`. */
  readonly sourceFile: string
  readonly installation: () => Promise<Installation>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly userId: number | undefined
  readonly clock: Pick<Clock, 'nowMs'>
  /** Prevents heartbeats from beginning until the returned function is called; `null`: one is running. */
  readonly hold: () => (() => void) | null
  /** Backs the record up and returns the backup's name. */
  readonly backUp: () => Promise<string>
  /** On macOS and Windows: installs through the desktop app. Omitted without one. */
  readonly installByDesktop?: DesktopIntegration['installUpdate']
}
