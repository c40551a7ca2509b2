import type { Clock } from '../ports/clock.ts'
import type { DesktopIntegration } from '../ports/desktop-integration.ts'
import type { Installation } from './installation.ts'

export interface UpdatesOptions {
  readonly dataDirectory: string
  readonly version: string
  /** `updates.json` of the installation. */
  readonly sourceFile: string
  readonly installation: () => Promise<Installation>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly userId: number | undefined
  readonly clock: Pick<Clock, 'nowMs'>
  /** Keeps heartbeats from beginning until it is called again; `null`: one runs. */
  readonly hold: () => (() => void) | null
  /** Answers with the name of a backup of the record as it is. */
  readonly backUp: () => Promise<string>
  /** On macOS and Windows: by what the desktop has. Left out: there is no desktop. */
  readonly installByDesktop?: DesktopIntegration['installUpdate']
}
