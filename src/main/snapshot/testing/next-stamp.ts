import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { createScratchFolder } from './scratch-folder.ts'

/** Resolves once new writes get a different time than the previous ones. */
export function nextStamp(): void {
  const probe = createScratchFolder()
  const stamp = (): bigint => {
    probe.write('probe', '')
    return lstatSync(join(probe.path, 'probe'), { bigint: true }).ctimeNs
  }
  const first = stamp()
  while (stamp() === first);
  probe.dispose()
}
