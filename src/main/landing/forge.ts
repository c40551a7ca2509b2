import type { AttemptResult } from '../../core/record/events.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { Repository, Target } from './repository.ts'

/** A pull request as it is to be. */
export interface PullRequest {
  readonly branch: string
  readonly target: string
  readonly title: string
  readonly body: string
}

/** Where commit statuses and pull requests go. Everything rejects with a sentence for the operator. */
export interface Forge {
  status(
    commit: string,
    state: 'pending' | 'success' | 'failure' | 'error',
    description: string,
  ): Promise<void>
  /** Makes the pull request of this branch, or brings the one that is there up to date. */
  pull(
    number: number | null,
    request: PullRequest,
  ): Promise<{ readonly number: number; readonly url: string }>
  close(number: number): Promise<void>
  body(entry: LandingRecord, result: AttemptResult | null): string
}

export async function openForge(
  _landing: WorkspaceConfig['landing'],
  _repository: Repository,
  _target: Target,
): Promise<Forge | null> {
  return null
}
