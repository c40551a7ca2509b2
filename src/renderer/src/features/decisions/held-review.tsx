import { useState } from 'react'
import type { CheckRun } from '../../../../core/custody/held.ts'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { HELD_WORDS } from '../../../../core/vocabulary/held.ts'
import { VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useUnsaid } from '../../store/use-unsaid.ts'
import { Button } from '../../ui/button.tsx'
import { OpenFileButton } from '../../ui/open-file-button.tsx'
import { PatchView } from '../../ui/patch-view.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { EqualitySign, VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { WordsField, WordsForm } from '../../ui/words-form.tsx'
import { filesOfPatch } from './files-of-patch.ts'
import styles from './held.module.css'
import { type HeldAnswer, useDecide } from './use-decide.ts'

/**
 * Work held for review: what differs from the baseline, what the checks say with each, and the operator's answers. Shows nothing if it was
 * never held.
 */
export function HeldReview({ workspaceId, detail }: { workspaceId: string; detail: AttemptDetail }) {
  const { held, review } = detail
  if (held === null) return null
  if (review?.answer != null) return <Answered workspaceId={workspaceId} detail={detail} />
  if (detail.verdict !== 'unclear' || detail.overruled !== null) return null
  return (
    <section className={styles.review} aria-label="Held for your review">
      <h3 className="row normal">
        <VerdictGlyph kind="held" /> Held for review: no points yet
      </h3>
      <p>{HELD_WORDS[held.because]}</p>
      <div className={styles.runs}>
        <Run title="As the agent left it" run={held.inPlace} />
        <EqualitySign agrees={agreement(held.inPlace, held.cleanRoom)} large />
        <Run title="With your baseline" run={held.cleanRoom} />
      </div>
      <Differs workspaceId={workspaceId} detail={detail} />
      {held.with !== null && (
        <p>
          It needs files of <a href={routeTo(workspaceId, 'attempt', held.with)}>an earlier attempt</a> that
          is held too. One answer covers both.
        </p>
      )}
      <Answers workspaceId={workspaceId} detail={detail} canAllow={canAllow(held.because)} />
    </section>
  )
}

function agreement(inPlace: CheckRun, cleanRoom: CheckRun): boolean | null {
  if (inPlace.verdict === null || cleanRoom.verdict === null) return null
  return inPlace.verdict === cleanRoom.verdict
}

/** Lost tests and dependencies are not files that a task could be allowed to change. */
function canAllow(because: string): boolean {
  return because !== 'tests' && because !== 'dependencies'
}

function Run({ title, run: { verdict, reasons } }: { title: string; run: CheckRun }) {
  return (
    <div className={styles.run}>
      <h4>{title}</h4>
      <p className={styles.verdict} data-verdict={verdict ?? 'none'}>
        {verdict === null ? 'Not run' : VERDICT_WORDS[verdict].title}
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason} dir="auto" title={reason}>
            <Prose text={sentence(reason)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The files or tests that differ, with their lines if known. */
function Differs({ workspaceId, detail }: { workspaceId: string; detail: AttemptDetail }) {
  const files = detail.held?.files ?? []
  const isTests = detail.held?.because === 'tests'
  if (files.length === 0) return null
  return (
    <div className={styles.differs}>
      <h4>{isTests ? 'No longer run' : 'Changed from the baseline'}</h4>
      <ul className="files">
        {files.map((path) => (
          <li key={path}>
            {isTests ? (
              <bdi>{path}</bdi>
            ) : (
              <OpenFileButton workspaceId={workspaceId} path={path}>
                <bdi>{path}</bdi>
              </OpenFileButton>
            )}
          </li>
        ))}
      </ul>
      {!isTests && (
        <Difference
          workspaceId={workspaceId}
          attemptId={detail.held?.with ?? detail.attemptId}
          files={files}
        />
      )}
    </div>
  )
}

function Difference({
  workspaceId,
  attemptId,
  files,
}: {
  workspaceId: string
  attemptId: string
  files: readonly string[]
}) {
  const { value, problem } = useAnswer((api) => api.attempts.files, { workspace: workspaceId, id: attemptId })
  if (problem !== null) return <p role="alert">The difference could not be loaded. {problem.message}</p>
  if (value === null) return <Skeleton width="60%" />
  const patch = filesOfPatch(value.difference ?? '', files)
  if (patch === '')
    return <p className="faint pretty">The changed lines are only recorded in a git repository.</p>
  return <PatchView patch={patch} label="Changes of the held files" />
}

function Answers({
  workspaceId,
  detail,
  canAllow,
}: {
  workspaceId: string
  detail: AttemptDetail
  canAllow: boolean
}) {
  const { held } = useDecide()
  const [busy, setBusy] = useState(false)
  const { open: refuses, setOpen: setRefuses, opener } = useOpener()
  const [how, setHow] = useState({ rigged: false, putBack: canAllow })
  const say = async (answer: HeldAnswer) => {
    if (busy) return false
    setBusy(true)
    const isSaid = await held(workspaceId, detail.attemptId, answer)
    setBusy(false)
    return isSaid
  }
  return (
    <>
      <div className="flow">
        <Button acts look="primary" aria-disabled={busy} onClick={() => void say({ answer: 'accept' })}>
          Accept
        </Button>
        {canAllow && (
          <Button
            aria-disabled={busy}
            title="Adds these files to may_change of the task"
            onClick={() => void say({ answer: 'accept', always: true })}
          >
            Accept always
          </Button>
        )}
        <Button acts ref={opener} aria-expanded={refuses} onClick={() => setRefuses(!refuses)}>
          Refuse…
        </Button>
      </div>
      <p className="faint pretty">
        Accept counts it as verified and makes these files the new baseline.
        {canAllow && ' “Accept always” also lets this task change them without asking.'} You can undo{' '}
        {canAllow ? 'either' : 'it'}.
      </p>
      {refuses && (
        <RefuseForm
          place={`refuse ${workspaceId} ${detail.attemptId}`}
          busy={busy}
          canPutBack={canAllow}
          how={how}
          onHow={setHow}
          onRefuse={say}
          onClose={() => setRefuses(false)}
        />
      )}
    </>
  )
}

interface RefusedHow {
  readonly rigged: boolean
  readonly putBack: boolean
}

function RefuseForm({
  place,
  busy,
  canPutBack,
  how,
  onHow,
  onRefuse,
  onClose,
}: {
  /** The key under which the typed text is kept. */
  place: string
  busy: boolean
  canPutBack: boolean
  /** Kept by the parent, so that it is still there when the form is reopened. */
  how: RefusedHow
  onHow: (how: RefusedHow) => void
  /** Resolves with whether the answer was accepted. */
  onRefuse: (answer: HeldAnswer) => Promise<boolean>
  onClose: () => void
}) {
  const { text: reason, write, forget, cancel, leave } = useUnsaid(place, onClose)
  const { rigged, putBack } = how
  const refuse = async () => {
    const said = reason.trim()
    if (await onRefuse({ answer: 'refuse', rigged, putBack, ...(said !== '' && { reason: said }) })) forget()
  }
  return (
    <WordsForm
      onSubmit={() => void refuse()}
      onClose={leave}
      buttons={
        <>
          <Button type="submit" aria-disabled={busy}>
            Refuse the work
          </Button>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <WordsField
        label="Message to the agent"
        value={reason}
        onChange={write}
        placeholder="Why, added to its next prompt (optional)"
        opensFocused
      />
      {canPutBack && (
        <label className="row gap-icon">
          <input
            type="checkbox"
            checked={putBack}
            onChange={({ target }) => onHow({ ...how, putBack: target.checked })}
          />
          Restore the files to the baseline
        </label>
      )}
      <label className="row gap-icon">
        <input
          type="checkbox"
          checked={rigged}
          onChange={({ target }) => onHow({ ...how, rigged: target.checked })}
        />
        The check was rigged: count it as a contradiction too
      </label>
    </WordsForm>
  )
}

/** How it was answered, while it is shown, and a button to undo that. */
function Answered({ workspaceId, detail }: { workspaceId: string; detail: AttemptDetail }) {
  const { takeBack } = useDecide()
  const answer = detail.review?.answer
  if (answer == null) return null
  const words =
    answer.answer === 'accept'
      ? 'You accepted it'
      : answer.rigged
        ? 'You refused it as rigged'
        : 'You refused it'
  return (
    <section className={styles.answered} aria-label="Your review">
      <p>
        This work was held. <strong>{words}</strong> <RelativeTime at={answer.at} />.
      </p>
      <Button acts look="quiet" onClick={() => void takeBack(workspaceId, detail.attemptId)}>
        Undo the answer
      </Button>
    </section>
  )
}
