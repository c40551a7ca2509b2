import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { createScratchFolder } from './scratch-folder.ts'

/** Returns once new writes get other times than the previous ones. */
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
