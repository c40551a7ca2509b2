import { changedRules } from '../../../core/configuration/scoring.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'

/**
 * Records the rules of scoring that have come into force with a configuration, where they are other ones than before. From that
 * event on they count, and nothing that was scored before it changes.
 */
export async function recordScoring(ledger: Ledger, config: WorkspaceConfig | null): Promise<void> {
  if (config === null) return
  const changes = changedRules(ledger.state.rules, config.scoring)
  if (changes.length === 0) return
  await ledger.append({ type: 'scoring-changed', rules: { ...config.scoring }, changes: [...changes] })
}
