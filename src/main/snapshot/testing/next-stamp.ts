import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { createScratchFolder } from './scratch-folder.ts'

/** Returns once what is written is stamped otherwise than what was written before. */
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
