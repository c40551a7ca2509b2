import { app } from 'electron'

/**
 * On macOS and Windows: electron-updater fetches this version from where the package was published (`publish` in
 * packaging/electron-builder.yml) and checks its code's signature; what it fetched has to be the file of our own signed feed as well. Then the app
 * quits, and what was fetched takes its place. Rejects with an error that says why not.
 */
export async function installUpdate(
  version: string,
  isSigned: (path: string) => Promise<boolean>,
): Promise<void> {
  if (!app.isPackaged) throw new Error('a checkout is not updated')
  // Loaded where it is used: it is of no use on Linux, and not small.
  const { default: electronUpdater } = await import('electron-updater')
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  // Not before it was compared.
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
