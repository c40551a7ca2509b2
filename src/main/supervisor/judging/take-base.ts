import type { EventBody } from '../../../core/record/events.ts'
import type { BaseMove } from '../../ports/custody.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** How many paths one event names. */
const MAX_FILES = 50

/**
 * Before a cycle: changes made while no agent ran are the operator's and become the baseline; questions about what checks execute are asked
 * again.
 */
export async function takeBase({ ports, config }: Pick<CycleContext, 'ports' | 'config'>): Promise<void> {
  const move = await ports.custody.begin(config)
  const { moved, isFirst } = move
  if (isFirst || moved.length > 0) await ports.ledger.append(baseMoved(isFirst ? 'first' : 'operator', moved))
  const message = unapprovedInWords(move)
  const isNotified = ports.ledger.state.notices.some(
    (notice) => notice.code === 'configuration-changed' && notice.message === message,
  )
  if (message === null || isNotified) return
  await ports.ledger.append({
    type: 'diagnostic-raised',
    code: 'configuration-changed',
    taskId: null,
    message,
  })
}

/** The operator approves the checks in their current state. */
export async function approveBase(
  { custody, ledger }: WorkspacePorts,
  config: WorkspaceConfig,
): Promise<void> {
  const approved = await custody.approve(config)
  if (approved.length > 0) await ledger.append(baseMoved('approved', approved))
}

/** After an attempt: records the state it left as known, and adds what its task may change to the baseline. */
export async function settleBase(
  { ports }: CycleContext,
  attemptId: string,
  accepted: readonly string[],
): Promise<void> {
  await ports.custody.settle(attemptId, accepted)
  if (accepted.length > 0) await ports.ledger.append(baseMoved('may-change', accepted))
}

/** Returns the event for a changed baseline. */
export function baseMoved(
  by: Extract<EventBody, { type: 'base-moved' }>['by'],
  files: readonly string[],
): EventBody {
  return { type: 'base-moved', by, files: files.slice(0, MAX_FILES), count: files.length }
}

/** Describes what needs the operator's approval; `null` if nothing does. */
function unapprovedInWords({ unapproved, elsewhere }: BaseMove): string | null {
  const said = [
    unapproved.length === 0
      ? null
      : `Check files were changed while no agent was running: ${listed(unapproved)}.`,
    elsewhere.length === 0
      ? null
      : `Files that checks depend on were changed while another workspace's agent was running without a sandbox: ${listed(elsewhere)}.`,
  ].filter((sentence) => sentence !== null)
  if (said.length === 0) return null
  return `${said.join(' ')} Checks run as approved until you approve the change: \`pulseward trust\`.`
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(', ')
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown
}
