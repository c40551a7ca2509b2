import { join } from 'node:path'
import { createBackup } from '../backup/create-backup.ts'
import type { Updates } from '../ports/updates.ts'
import { findInstallation, type Installation } from '../update/installation.ts'
import { openUpdates } from '../update/updates.ts'
import type { HostOptions } from './host-options.ts'
import type { Slots } from './slots.ts'

/** Returns the folder of the installed command, which has its `bin` and `resources`. */
export function installationOf({ sampleDirectory }: Pick<HostOptions, 'sampleDirectory'>): string {
  return join(sampleDirectory, '../..')
}

/** `onLooked`: called when what is known about other versions may have changed. */
export function openHostUpdates(options: HostOptions, slots: Slots, onLooked: () => void): Updates {
  const { dataDirectory, version, clock, sampleDirectory, desktop } = options
  let installation: Promise<Installation> | null = null
  const updates = openUpdates({
    dataDirectory,
    version,
    sourceFile: join(sampleDirectory, '../updates.json'),
    installation: () => {
      installation ??= findInstallation(installationOf(options), process.env)
      return installation
    },
    environment: process.env,
    userId: process.getuid?.(),
    clock,
    hold: slots.hold,
    backUp: async () =>
      (await createBackup({ dataDirectory, version, nowMs: clock.nowMs(), kind: 'asked' })).name,
    ...(desktop !== undefined && { installByDesktop: desktop.installUpdate }),
  })
  return { ...updates, check: () => updates.check().finally(onLooked) }
}
