import { app } from 'electron'

/**
 * Installs this version on macOS and Windows: electron-updater downloads it from where the package was published (`publish` in
 * packaging/electron-builder.yml) and checks its code signature. The downloaded file must also be the one in our signed feed. Then the app
 * quits and is replaced. Rejects with an error that says why not.
 */
export async function installUpdate(
  version: string,
  isSigned: (path: string) => Promise<boolean>,
): Promise<void> {
  if (!app.isPackaged) throw new Error('a checkout is not updated')
  // Loaded only when needed, because it is large and Linux does not use it.
  const { default: electronUpdater } = await import('electron-updater')
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  // Don't install before the file has been compared.
  autoUpdater.autoInstallOnAppQuit = false
  autoUpdater.allowDowngrade = true
  const found = await autoUpdater.checkForUpdates()
  const offered = found?.updateInfo.version ?? 'none'
  if (offered !== version) throw new Error(`the place of packages has ${offered}, the signed feed ${version}`)
  const [path] = await autoUpdater.downloadUpdate()
  if (path === undefined || !(await isSigned(path)))
    throw new Error('what was fetched is not the file that the publisher signed for')
  setImmediate(() => autoUpdater.quitAndInstall())
}
