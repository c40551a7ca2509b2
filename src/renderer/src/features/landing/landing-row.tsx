import { Check, CircleDashed, CircleSlash, GitMerge, Hourglass, type LucideIcon, Split } from 'lucide-react'
import { useState } from 'react'
import { type LandingView, whyNoDifference } from '../../../../core/read-model/landing.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { LANDING_WORDS, type LandingAnswer, type LandingState } from '../../../../core/vocabulary/landing.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { DifferenceView } from '../../ui/difference-view.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { PatchView } from '../../ui/patch-view.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useDecide } from '../decisions/use-decide.ts'
import styles from './landing.module.css'
import { ANSWER_WORDS, webAddress } from './landing-words.ts'

const ICONS: Readonly<Record<LandingState, LucideIcon>> = {
  queued: CircleDashed,
  judging: CircleDashed,
  waiting: Hourglass,
  landed: GitMerge,
  conflict: Split,
  held: Hourglass,
  dropped: CircleSlash,
}

/** One attempt's work: its state and why, the possible actions, and its difference on request. */
export function LandingRow({
  workspaceId,
  entry,
  isOpened,
}: {
  workspaceId: string
  entry: LandingView
  /** Whether the address names this row. */
  isOpened: boolean
}) {
  const { attemptId, taskId, description, state, target, because, at, branch, pullRequest, commit } = entry
  const [isOpen, setOpen] = useState(isOpened)
  const Icon = state === 'landed' && commit === null ? Check : ICONS[state]
  const address = pullRequest === null ? null : webAddress(pullRequest.url)
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.icon} aria-hidden>
        <Icon size={16} />
      </span>
      <div className="stack gap-half shrinks breaks">
        <p className="flow gap-words">
          <a className={styles.task} href={routeTo(workspaceId, 'attempt', attemptId)}>
            <bdi>{taskId}</bdi>
          </a>
          <span className="medium">{LANDING_WORDS[state]}</span>
          <span className={styles.quiet}>
            to <bdi>{target}</bdi>, <RelativeTime at={at} />
          </span>
        </p>
        {description !== '' && (
          <p className={styles.quiet} dir="auto">
            {harmlessLine(description)}
          </p>
        )}
        {because !== '' && (
          <p dir="auto">
            <Prose text={sentence(because)} />
          </p>
        )}
        <p className={styles.facts}>
          {commit !== null && (
            <span>
              commit <code>{commit.slice(0, 10)}</code>
            </span>
          )}
          {branch !== null && (
            <span>
              branch <code>{harmlessLine(branch)}</code>
            </span>
          )}
          {pullRequest !== null &&
            (address === null ? (
              <span>pull request {pullRequest.number}</span>
            ) : (
              <a href={address} target="_blank" rel="noreferrer">
                pull request {pullRequest.number}
              </a>
            ))}
        </p>
      </div>
      <div className={styles.actions}>
        <Answers workspaceId={workspaceId} entry={entry} />
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Difference<VisuallyHidden> of {taskId}</VisuallyHidden>
        </Button>
      </div>
      {isOpen && <Whole workspaceId={workspaceId} entry={entry} />}
    </li>
  )
}

function Answers({ workspaceId, entry }: { workspaceId: string; entry: LandingView }) {
  const { landing } = useDecide()
  const [busy, setBusy] = useState(false)
  const give = async (answer: LandingAnswer): Promise<void> => {
    if (busy) return
    setBusy(true)
    await landing(workspaceId, entry.attemptId, answer)
    setBusy(false)
  }
  return entry.answers.map((answer, index) => (
    <Button
      key={answer}
      acts
      look={index === 0 && answer !== 'drop' ? 'plain' : 'quiet'}
      aria-disabled={busy}
      onClick={() => void give(answer)}
    >
      {ANSWER_WORDS[answer]}
      <VisuallyHidden> {entry.taskId}</VisuallyHidden>
    </Button>
  ))
}

/** Both sides of a conflict, and what the attempt changed. */
function Whole({
  workspaceId,
  entry: { attemptId, taskId, conflict, at },
}: {
  workspaceId: string
  entry: LandingView
}) {
  const { value, problem, retry } = useAnswer(
    (api) => api.landing.show,
    { workspace: workspaceId, id: attemptId },
    at,
  )
  return (
    <div className={styles.whole}>
      {conflict !== null && (
        <section className="stack gap-3" aria-label={`Conflict of ${taskId}`}>
          <h3 className="small">
            {conflict.kind === 'textual'
              ? 'Git cannot merge it with the target'
              : 'It merges with the target, but the result does not pass'}
          </h3>
          <ul className={styles.list}>
            {conflict.reasons.map((reason) => (
              <li key={reason} dir="auto">
                <Prose text={sentence(reason)} />
              </li>
            ))}
            {conflict.paths.map((path) => (
              <li key={path}>
                <code>{harmlessLine(path)}</code>
              </li>
            ))}
          </ul>
          {conflict.sides !== '' && <PatchView patch={conflict.sides} label={`Both sides of ${taskId}`} />}
        </section>
      )}
      {problem !== null && <NotLoaded what="The difference" problem={problem} retry={retry} />}
      {value === null && problem === null && <Skeleton width="60%" height={80} />}
      {value !== null &&
        (value.patch ? (
          <DifferenceView workspaceId={workspaceId} patch={value.patch} label={`Difference of ${taskId}`} />
        ) : (
          <p className={styles.quiet}>{whyNoDifference(value.patch)}</p>
        ))}
    </div>
  )
}
