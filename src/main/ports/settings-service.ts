import type { DesktopCapabilities, OpenTarget } from '../../api/schemas/desktop.ts'
import type { SettingsChanges, SettingsDocument } from '../../api/schemas/settings.ts'

/** The part of the host that keeps the app's settings and reaches the desktop around it. */
export interface SettingsService {
  settings(): Promise<SettingsDocument>
  /** Rejects with `conflict` where `settings.json` is no longer the one with `hash`. */
  changeSettings(changes: SettingsChanges, hash: string): Promise<SettingsDocument>
  desktopCapabilities(): DesktopCapabilities
  /** Rejects with `unprocessable` without a desktop. */
  chooseFolder(): Promise<string | null>
  /** Answers with the path. Rejects with `unprocessable` without a desktop, or where it cannot be opened. */
  openTarget(target: OpenTarget): Promise<string>
}
