import { type Claim, NO_CLAIM } from '../claims/types.ts'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { NO_HISTORY, NO_RUN, type Policy, type WorkCase } from '../judgement/case.ts'

/** The policy for a change, which is neither scored nor given interventions. */
export const CHANGE_POLICY: Policy = {
  probes: {},
  gates: { commands: [] },
  judge: null,
  interventions: { enabled: false, expectFiles: 'never', protected: [] },
  scoring: DEFAULT_SCORING,
}

/** The claim of a change whose description claims nothing: that it is done. */
export const CLAIMS_DONE: Claim = { ...NO_CLAIM, status: 'done', source: 'report' }

/** Returns the case of a change: work done outside any supervised run, with no history. */
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
