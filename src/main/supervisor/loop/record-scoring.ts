import { changedRules } from '../../../core/configuration/scoring.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'

/**
 * Records the scoring rules that took effect with a configuration, if they differ from the previous ones. They apply from that event on;
 * existing scores don't change.
 */
export async function recordScoring(ledger: Ledger, config: WorkspaceConfig | null): Promise<void> {
  if (config === null) return
  const changes = changedRules(ledger.state.rules, config.scoring)
  if (changes.length === 0) return
  await ledger.append({ type: 'scoring-changed', rules: { ...config.scoring }, changes: [...changes] })
}
