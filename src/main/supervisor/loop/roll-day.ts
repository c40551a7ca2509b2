import { localDay } from '../../../core/pacing/schedule.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/**
 * Records the change of the local day if no event has done so yet, so that score and standing are today's. Resolves with whether it had to.
 */
export async function rollDay(
  ports: Pick<WorkspacePorts, 'ledger' | 'clock'>,
  zone: string,
): Promise<boolean> {
  const { day } = ports.ledger.state
  if (day !== null && localDay(ports.clock.nowMs(), zone) <= day) return false
  await ports.ledger.append({ type: 'day-rolled' })
  return true
}
