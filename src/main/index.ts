import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, crashReporter } from 'electron'
import { defaultDataDirectory } from './config/data-directory.ts'
import { lacksGraphics } from './desktop/graphics.ts'
import { keepCompiledCode } from './files/compiled-code.ts'
import { stateDirectory } from './files/state-directory.ts'

/*
 * The Electron entry. What Electron wants to know early stands here, in a small file that loads at once; the app itself follows.
 * `--data-dir=DIR` names another data folder.
 */
const dataDirectory =
  app.commandLine.getSwitchValue('data-dir') || defaultDataDirectory(process.env, homedir())
// Separate browser data for each data folder, so that two of them share neither lock nor storage.
app.setPath('userData', join(dataDirectory, 'desktop'))
// What a crash leaves stays there: nothing is sent. "Copy diagnostics" says where it lies.
crashReporter.start({ uploadToServer: false })
disableGraphicsWhereNone()
/** By then all that a start needs has run. */
const KEEP_COMPILED_MS = 30_000
// Beside the seals, out of an agent’s reach: it is run.
const keepCompiled = keepCompiledCode(
  join(stateDirectory(process.env, homedir()), 'compiled'),
  import.meta.dirname,
)
// Not left to the end, which may be a signal or a power cut.
setTimeout(keepCompiled, KEEP_COMPILED_MS).unref()
app.once('before-quit', keepCompiled)

import('./desktop-app.ts').then(
  ({ runDesktopApp }) =>
    runDesktopApp({
      data: dataDirectory,
      built: join(import.meta.dirname, '..'),
      command: app.isPackaged ? join(process.resourcesPath, 'command') : join(import.meta.dirname, '../..'),
    }),
  (error: unknown) => {
    console.error(error)
    app.exit(1)
  },
)

/** What Electron wants to know before it is ready. */
function disableGraphicsWhereNone(): void {
  if (!lacksGraphics(process.platform)) return
  try {
    app.disableHardwareAcceleration()
  } catch {
    // A checkout is loaded by Electron's own default app, too late for this: there `--disable-gpu` says the same.
  }
}
