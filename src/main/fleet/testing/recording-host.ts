/*
 * Run as a program: `node recording-host.ts DATA-FOLDER WORKSPACE-FOLDER`. Without a folder it supervises what the data
 * folder knows. A host that records something again and again, two thousand times; says `ready` once it does. Joined by
 * the `fleet.json` in its data folder.
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
// Asked to end, it does so in order; killed, it does not.
process.once('SIGTERM', () => void host.stop().then(() => process.exit(0)))
if (folder !== '') await host.client.workspaces.add({ path: folder })
writeSync(1, 'ready\n')
// Not for ever: what a slow machine takes its time to compare would grow meanwhile.
for (let number = 0; folder !== '' && number < BURSTS; number += 1) {
  // A burst, then a breath for whoever else runs here.
  await Promise.all(
    Array.from({ length: 20 }, (_, each) => host.client.notes.add({ text: `Note ${number}-${each}` })),
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
}
