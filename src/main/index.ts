import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, crashReporter } from 'electron'
import { defaultDataDirectory } from './config/data-directory.ts'
import { lacksGraphics } from './desktop/graphics.ts'
import { keepCompiledCode } from './files/compiled-code.ts'
import { stateDirectory } from './files/state-directory.ts'

/*
 * The Electron entry. What Electron must know early is in this small file, which loads fast; the app itself follows. `--data-dir=DIR` names
 * another data folder.
 */
const dataDirectory =
  app.commandLine.getSwitchValue('data-dir') || defaultDataDirectory(process.env, homedir())
// Separate browser data for each data folder, so that two of them share neither lock nor storage.
app.setPath('userData', join(dataDirectory, 'desktop'))
// Crash dumps stay there; nothing is sent. "Copy diagnostics" says where they are.
crashReporter.start({ uploadToServer: false })
disableGraphicsWhereNone()
/** By then everything that a start needs has run. */
const KEEP_COMPILED_MS = 30_000
// Next to the seals, where no agent can write, because this code is executed.
const keepCompiled = keepCompiledCode(
  join(stateDirectory(process.env, homedir()), 'compiled'),
  import.meta.dirname,
)
// Not left until the end, which may be a signal or a power cut.
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

/** Disables the GPU on machines without graphics, which Electron must know before it is ready. */
function disableGraphicsWhereNone(): void {
  if (!lacksGraphics(process.platform)) return
  try {
    app.disableHardwareAcceleration()
  } catch {
    // In a checkout, Electron's own default app loads this file too late; use `--disable-gpu` there.
  }
}
