import { RequestProblem } from '../../../api/request-problem.ts'
import { sentence } from '../../../core/text/sentence.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/**
 * Reports a cycle that could not run: records a contract that cannot be read; logs and notifies about any other problem, once until a
 * heartbeat has run. Never rejects.
 */
export async function tellFailedCycle(
  ports: WorkspacePorts,
  error: unknown,
  isStopping: boolean,
): Promise<void> {
  if (!(error instanceof RequestProblem)) notifyTrouble(ports, error)
  else if (error.kind === 'unprocessable' && !isStopping) await recordUnreadable(ports, error.message)
}

/** Not recorded as a notice, because it may be the ledger that cannot be written. */
function notifyTrouble({ id, name, ledger, log, notifier }: WorkspacePorts, error: unknown): void {
  log.error('A heartbeat failed', {
    workspace: id,
    error: String(error),
    stack: error instanceof Error ? error.stack : undefined,
  })
  const reason = error instanceof Error ? error.message : String(error)
  notifier.notify({
    // Notify about the same problem only once, until a heartbeat has run.
    key: `failed:${id}:${ledger.state.progress.cycleCount}:${reason}`,
    about: 'trouble',
    workspaceId: id,
    // A full disk stops all workspaces.
    cause: reason,
    title: `${name}: the heartbeat could not run`,
    body: `${sentence(reason)} No heartbeat runs there until this is fixed. It is tried again every minute.`,
  })
}

async function recordUnreadable({ id, ledger, log }: WorkspacePorts, message: string): Promise<void> {
  await ledger
    .append({ type: 'diagnostic-raised', code: 'contract-unreadable', taskId: null, message })
    .catch((cause) => log.error('The ledger cannot be written', { workspace: id, error: String(cause) }))
}
