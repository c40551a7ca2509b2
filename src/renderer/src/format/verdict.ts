import type { Heartbeat, WorkspaceDetail } from '../../../api/schemas/workspace.ts'

export type AttemptRow = WorkspaceDetail['attempts'][number]

/** What a verdict is shown as: the verdict itself, or what stands in its place. */
export type VerdictKind = NonNullable<Heartbeat['worst']>

export const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = {
  contradiction: 'Contradiction',
  not_verified: 'Not verified',
  unclear: 'Unclear',
  verified: 'Verified',
  skipped: 'Skipped',
  environment: 'Not run: environment',
}

/** How an attempt is shown. A contradiction outranks its verdict; without a verdict it is the environment, or a skip. */
export function verdictKind(
  attempt: Pick<AttemptRow, 'verdict' | 'groundTruthContradiction' | 'fault'>,
): VerdictKind {
  if (attempt.groundTruthContradiction) return 'contradiction'
  if (attempt.verdict !== null) return attempt.verdict
  return attempt.fault === 'environment' ? 'environment' : 'skipped'
}
