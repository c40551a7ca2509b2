import type { EvidenceRow, Reconciliation } from './evidence-row.ts'
import { reconcileFiles } from './reconcile-files.ts'
import { reconcileTests } from './reconcile-tests.ts'
import type { Sources } from './sources.ts'

const MAX_ROWS = 40
const MAX_CONTRADICTIONS = 20

/** Compares the four sources of one attempt; returns at most 40 rows and 20 contradictions. Pure; never throws. */
export function reconcile(sources: Sources): Reconciliation {
  const found = [reconcileFiles(sources), reconcileTests(sources), reconcileValues(sources)]
  return {
    rows: found.flatMap(({ rows }) => rows).slice(0, MAX_ROWS),
    contradictions: found.flatMap(({ contradictions }) => contradictions).slice(0, MAX_CONTRADICTIONS),
  }
}

function reconcileValues({ comparisons, fileClaims }: Sources): Reconciliation {
  const files = new Set(fileClaims.map(({ path }) => path))
  const rows = comparisons
    .filter(({ subject, claimed }) => claimed !== null && !files.has(subject) && subject !== 'completion')
    .map(
      ({ subject, claimed, measured, agrees }): EvidenceRow => ({
        kind: 'value',
        subject,
        claimed,
        reported: null,
        snapshot: null,
        measured,
        agrees,
      }),
    )
  return { rows, contradictions: [] }
}
