import { type ReactNode, Suspense } from 'react'
import { blockedPath } from '../../../../core/agents/service-failure.ts'
import { durationWords, takenDuration } from '../../../../core/pacing/duration-words.ts'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { COMPLEXITY_WORDS } from '../../../../core/vocabulary/complexity.ts'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { setupSectionOf } from '../../format/setup-section.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { allowPathAddress, routeTo } from '../../route/route.ts'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { OpenFileButton } from '../../ui/open-file-button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Term } from '../../ui/term.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { AttemptInterventions } from '../interventions/attempt-interventions.tsx'
import { AttemptCostsView } from './attempt-costs.tsx'
import { AttemptFilesView } from './attempt-files.tsx'
import styles from './attempt-panel.module.css'
import { Comparisons } from './comparisons.tsx'
import { Overrule } from './overrule.tsx'
import { ProgramReport } from './program-report.tsx'
import { PutBack } from './put-back.tsx'
import { SourcesTable } from './sources-table.tsx'
import { Thumbs } from './thumbs.tsx'
import { ThumbsNote } from './thumbs-note.tsx'
import { useAttempt } from './use-attempt.ts'
import { useReviewedByOpening } from './use-reviewed-by-opening.ts'

const DeliveredNotes = lazyNamed(() => import('../notes/delivered-notes.tsx'), 'DeliveredNotes')
const HeldReview = lazyNamed(() => import('../decisions/held-review.tsx'), 'HeldReview')

/** One full attempt: claim and measurement side by side, the reasons, the results, and the operator's final decision. */
export function AttemptPanel({ workspaceId, attempt }: { workspaceId: string; attempt: AttemptRow }) {
  const { detail, problem, retry } = useAttempt(workspaceId, attempt)
  return (
    <AttemptBody workspaceId={workspaceId} attempt={attempt} detail={detail}>
      {problem !== null && <NotLoaded what="The rest of this attempt" problem={problem} retry={retry} />}
    </AttemptBody>
  )
}

/** Links to the section of Setup where a remedy can be applied, or if it is a single path, to the field with it already filled in. */
function SetupLinks({ workspaceId, attempt }: { workspaceId: string; attempt: AttemptRow }) {
  const section = setupSectionOf(attempt.remedy ?? '')
  if (section === null) return null
  const path = attempt.reasons.map(blockedPath).find((each) => each !== null)
  return (
    <>
      {path != null && (
        <>
          {' '}
          <a href={allowPathAddress(workspaceId, path)}>Allow this path…</a>
        </>
      )}{' '}
      <a href={routeTo(workspaceId, 'setup', section.toLowerCase())}>{section} settings</a>
    </>
  )
}

/** An attempt that may still be loading: `detail` is `null` until then, and `children` explain why it could not be loaded. */
export function AttemptBody({
  workspaceId,
  attempt,
  detail,
  isWhole = false,
  children,
}: {
  workspaceId: string
  attempt: AttemptRow
  detail: AttemptDetail | null
  /** Whether the attempt is the whole screen. */
  isWhole?: boolean
  children?: ReactNode
}) {
  useReviewedByOpening(workspaceId, detail)
  return (
    <article className="stack gap-3 small" aria-label={`Attempt at ${attempt.taskId}`}>
      {detail !== null && detail.held !== null && (
        <Suspense fallback={<Skeleton width="100%" height={120} />}>
          <HeldReview workspaceId={workspaceId} detail={detail} />
        </Suspense>
      )}
      <Sides attempt={attempt} activity={detail?.activity ?? null} />
      <Sources detail={detail} />
      <ul className="stack gap-half breaks" aria-label="Reasons">
        {attempt.reasons.map((reason) => (
          <li key={reason} dir="auto">
            <Prose text={sentence(reason)} />
          </li>
        ))}
      </ul>
      {attempt.remedy !== null && (
        <p className="medium breaks" dir="auto">
          <Prose text={sentence(attempt.remedy)} />
          <SetupLinks workspaceId={workspaceId} attempt={attempt} />
        </p>
      )}
      {children}
      {detail === null ? (
        !children && <Skeleton width="60%" />
      ) : (
        <>
          {detail.interventions.length > 0 && (
            <AttemptInterventions
              interventions={detail.interventions}
              isCompared={attempt.comparisons.some(({ agrees }) => agrees === false)}
            />
          )}
          <Suspense fallback={null}>
            <DeliveredNotes workspaceId={workspaceId} attemptId={detail.attemptId} />
          </Suspense>
          <Facts workspaceId={workspaceId} detail={detail} />
          <AttemptFilesView workspaceId={workspaceId} detail={detail} isWhole={isWhole} />
        </>
      )}
      <footer className={styles.footer}>
        <Thumbs workspaceId={workspaceId} attempt={attempt} />
        <ThumbsNote
          workspaceId={workspaceId}
          attemptId={attempt.attemptId}
          feedback={attempt.feedback}
          note={detail?.feedbackNote ?? null}
        />
        {detail !== null && <PutBack workspaceId={workspaceId} detail={detail} />}
        <Overrule workspaceId={workspaceId} attempt={attempt} />
      </footer>
    </article>
  )
}

/** Claim and measurement, next to what the program itself reported, if anything. */
function Sides({ attempt, activity }: { attempt: AttemptRow; activity: AttemptDetail['activity'] }) {
  if (attempt.comparisons.length === 0 && activity === null) return null
  return (
    <div className={styles.sides} data-reported={activity !== null}>
      <div className={styles.comparisons}>
        {activity !== null && (
          <h3 className={styles.sideHeading}>The agent claimed, and what was measured</h3>
        )}
        {attempt.comparisons.length === 0 ? (
          <p className="faint">No claim could be measured.</p>
        ) : (
          <Comparisons
            comparisons={attempt.comparisons}
            label="Claim and measurement"
            isContradiction={attempt.groundTruthContradiction}
          />
        )}
      </div>
      {activity !== null && <ProgramReport activity={activity} />}
    </div>
  )
}

/** The comparison of all sources. If the program reports nothing, claim and measurement above already show everything. */
function Sources({ detail }: { detail: AttemptDetail | null }) {
  const rows = detail?.reconciliation?.rows ?? []
  return detail === null || detail.activity === null || rows.length === 0 ? null : (
    <SourcesTable rows={rows} />
  )
}

const CLAIM_WORDS = { done: 'done', skipped: 'skipped', failed: 'failed' } as const

function Facts({ workspaceId, detail }: { workspaceId: string; detail: AttemptDetail }) {
  const { claim, outcome, exitCode, signal, durationMs, timeoutSeconds, filesChanged, filesChangedCount } =
    detail
  const more = filesChangedCount - filesChanged.length
  return (
    <dl className="facts figures">
      <dt>Started</dt>
      <dd>
        <RelativeTime at={detail.startedAt} />, took {takenDuration(durationMs)}
        {detail.feedbackShown && (
          <span className="tag quiet nowrap">
            <Term name="agent_reinforced">feedback shown</Term>
          </span>
        )}
      </dd>
      {detail.costs !== null && (
        <>
          <dt>Time</dt>
          <dd>
            <AttemptCostsView costs={detail.costs} />
          </dd>
        </>
      )}
      <dt>Timeout</dt>
      <dd>
        {durationWords(timeoutSeconds * 1000)}
        {detail.timeoutReason !== '' && `: ${detail.timeoutReason}`}
        {detail.tasksInRun > 1 && `, shared by ${detail.tasksInRun} tasks`}
      </dd>
      <dt>Work</dt>
      <dd>
        <Term name="complexity">{COMPLEXITY_WORDS[detail.complexity]}</Term>
      </dd>
      <dt>Ended</dt>
      <dd>
        {outcome}
        {exitCode !== null && `, exit code ${exitCode}`}
        {signal !== null && `, ${signal}`}
      </dd>
      <dt>Said</dt>
      <dd>
        {claim.status === null ? (claim.incomplete ?? 'nothing about the task') : CLAIM_WORDS[claim.status]}
        {claim.source === 'text' && ', in running text'}
        {claim.exitSignal !== null && `, EXIT_SIGNAL ${claim.exitSignal}`}
      </dd>
      {claim.evidence.length > 0 && (
        <>
          <dt>Evidence</dt>
          <dd>
            {claim.evidence.map((line) => (
              <p key={line} dir="auto">
                {harmlessLine(line)}
              </p>
            ))}
          </dd>
        </>
      )}
      <dt>Changed</dt>
      <dd>
        {filesChangedCount === 0 ? 'no files' : counted(filesChangedCount, 'file')}
        {filesChanged.length > 0 && (
          <ul className="files">
            {filesChanged.map((path) => (
              <li key={path}>
                <OpenFileButton workspaceId={workspaceId} path={path}>
                  <bdi>{harmlessLine(path)}</bdi>
                </OpenFileButton>
              </li>
            ))}
            {more > 0 && <li>and {more} more</li>}
          </ul>
        )}
      </dd>
      {detail.heldBefore && (
        <>
          <dt>Before</dt>
          <dd>the check already passed before the attempt</dd>
        </>
      )}
    </dl>
  )
}
