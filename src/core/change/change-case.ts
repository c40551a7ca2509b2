import { type Claim, NO_CLAIM } from '../claims/types.ts'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { NO_HISTORY, NO_RUN, type Policy, type WorkCase } from '../judgement/case.ts'

/** Of a change nothing is scored and no intervention is raised. */
export const CHANGE_POLICY: Policy = {
  probes: {},
  gates: { commands: [] },
  judge: null,
  interventions: { enabled: false, expectFiles: 'never', protected: [] },
  scoring: DEFAULT_SCORING,
}

/** A change that says nothing of itself says that it is done. */
export const CLAIMS_DONE: Claim = { ...NO_CLAIM, status: 'done', source: 'report' }

/** Returns the case of a change: work that no supervised run did, and nothing is remembered of. */
export function changeCase(
  about: Pick<WorkCase, 'id' | 'task' | 'policy' | 'claim' | 'difference'> & Partial<WorkCase>,
): WorkCase {
  return {
    source: 'change',
    uncommitted: [],
    root: '',
    run: NO_RUN,
    differences: [],
    reaching: [],
    history: NO_HISTORY,
    raised: [],
    ...about,
  }
}
