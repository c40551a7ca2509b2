/*
 * Run as a program: `node recording-host.ts DATA-FOLDER WORKSPACE-FOLDER`. A host that records something again and again, two
 * thousand times, and prints `ready` once it does. Without a workspace folder it supervises the workspaces of the data folder.
 * Joined by the `fleet.json` in its data folder.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../host/system-clock.ts'
import { createHost } from '../../host.ts'

const BURSTS = 100
const [dataDirectory = '', folder = '', hubDirectory] = process.argv.slice(2)
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const host = await createHost({
  dataDirectory,
  version: '1.2.3',
  clock: systemClock,
  log: silent,
  notifier: { notify: () => undefined },
  pageDirectory: null,
  sampleDirectory: join(import.meta.dirname, '../../../../resources/sample'),
  port: 0,
  scheduled: true,
  ...(hubDirectory !== undefined && { hubDirectory }),
})
// Shuts down cleanly on SIGTERM, but not when killed.
process.once('SIGTERM', () => void host.stop().then(() => process.exit(0)))
if (folder !== '') await host.client.workspaces.add({ path: folder })
writeSync(1, 'ready\n')
// Limited, because otherwise the record would grow while a slow machine compares it.
for (let number = 0; folder !== '' && number < BURSTS; number += 1) {
  // Record a burst, then pause for the other processes.
  await Promise.all(
    Array.from({ length: 20 }, (_, each) => host.client.notes.add({ text: `Note ${number}-${each}` })),
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
}
