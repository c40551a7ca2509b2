import { VERDICT_WORDS } from '../../../../../core/vocabulary/verdict.ts'
import type { Draft } from '../use-draft.ts'
import { TrialLine } from './trial-line.tsx'
import { useTrial } from './use-trial.ts'

/** Asks the judge a question with a known answer. */
export function JudgeTrial({ workspaceId, draft }: { workspaceId: string; draft: Draft }) {
  const { busy, result, problem, start, stop } = useTrial(draft, (api, text, signal) =>
    api.configuration.tryJudge({ workspace: workspaceId, text }, { signal }),
  )
  const { values } = draft.report
  const isSet = values['judge.command'] !== undefined || values['judge.preset'] !== undefined
  return (
    <TrialLine
      of="the judge"
      busy={busy}
      problem={problem}
      hindrance={isSet ? null : 'No judge is chosen yet.'}
      note="Asks it one question; an agent’s service may charge for it."
      onStart={() => void start()}
      onStop={stop}
    >
      {result !== null && (
        <>
          <p>Asked: {result.question}</p>
          <p>
            <strong>
              {result.verdict === null ? 'It gave no verdict' : VERDICT_WORDS[result.verdict].title}
            </strong>
            : {result.reason}
          </p>
        </>
      )}
    </TrialLine>
  )
}
