/** What only a desktop can do. The host has none in `serve` and on the command line. */
export interface DesktopIntegration {
  /** Returns the folder that the operator chose in the system's dialog; `null` if it was canceled. */
  chooseFolder(): Promise<string | null>
  /** Shows a folder in the file manager. Rejects with an error that says why it could not. */
  openPath(path: string): Promise<void>
  /** Whether the machine runs on battery. */
  onBattery(): boolean
  /** Whether the system starts the app at login; `null` if this system doesn't support that. */
  startsAtLogin(): boolean | null
  /** Rejects with an error that says why the system refused. */
  setStartAtLogin(enabled: boolean): Promise<void>
  /**
   * On macOS and Windows: fetches this version, asks whether it is the signed file, and quits to install it. Rejects with an
   * error that says why not.
   */
  installUpdate(version: string, isSigned: (path: string) => Promise<boolean>): Promise<void>
}
