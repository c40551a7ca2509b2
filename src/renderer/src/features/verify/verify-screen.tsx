import { CircleAlert, Hand, Plug } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Branches, ChangeRequest, Changes, Verification } from '../../../../api/procedures/changes.ts'
import { verdictWords } from '../../../../core/change/formats/words.ts'
import { CHANGE_STEP_WORDS } from '../../../../core/change/steps.ts'
import { durationWords } from '../../../../core/pacing/duration-words.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './verify.module.css'
import { VerifyForm } from './verify-form.tsx'
import { VerifyResult } from './verify-result.tsx'
import { choiceOf, comparedWords, NOTHING_CHOSEN } from './verify-words.ts'

/**
 * Verifies a change of the workspace's repository, like `pulseward verify`. The host keeps the running verification and the last verdict.
 */
export function VerifyScreen({ workspaceId }: { workspaceId: string }) {
  const updates = useApp((state) => state.changeUpdates)
  const changes = useAnswer((api) => api.changes.get, { workspace: workspaceId }, updates)
  // Not at each step: the branches only matter once the next change is chosen.
  const branches = useAnswer(
    (api) => api.changes.branches,
    { workspace: workspaceId },
    changes.value?.running?.id,
  )
  const missing = [changes, branches].find(({ value, problem }) => value === null && problem !== null)
  return (
    <section className="stack gap-4 small" aria-label="Verify a change">
      <header className="stack small">
        <h2 className="normal">Verify a change</h2>
        <p className="measure quiet breaks pretty">
          Is this change what it says, and was nothing rigged? The base alone decides how it is judged.
          Nothing in the folder is changed, and nothing is scored.
        </p>
      </header>
      {missing?.problem != null ? (
        <NotLoaded what="The repository" problem={missing.problem} retry={missing.retry} />
      ) : changes.value === null || branches.value === null ? (
        <Skeleton width="100%" height={240} />
      ) : branches.value.repository === null ? (
        <NoRepository />
      ) : (
        <Desk workspaceId={workspaceId} changes={changes.value} branches={branches.value.repository} />
      )}
    </section>
  )
}

function NoRepository() {
  return (
    <p className="measure quiet breaks pretty">
      This folder is in no git repository, so it has no changes to compare. Put it under version control with{' '}
      <code>git init</code>, then commit what is there.
    </p>
  )
}

function Desk({
  workspaceId,
  changes: { running, last },
  branches,
}: {
  workspaceId: string
  changes: Changes
  branches: Branches
}) {
  const api = useApp((state) => state.api)
  const { busy, problem, submit } = useSubmit()
  const [isOpen, setOpen] = useState(last === null && running === null)
  const stage = useRef<HTMLDivElement>(null)
  /** The pressed button disappears with its panel: move the focus to the result. */
  const moveFocus = () => stage.current?.focus({ preventScroll: true })
  const start = (request: ChangeRequest, consentTo?: string) =>
    void submit(async () => {
      await api.changes.verify({ workspace: workspaceId, ...request, consentTo })
      setOpen(false)
      moveFocus()
    })
  const cancel = () =>
    void submit(async () => {
      await api.changes.cancel({ workspace: workspaceId })
      moveFocus()
    })
  const shown = running ?? last
  return (
    <>
      <VisuallyHidden>
        <span role="status">{announcement(running, last)}</span>
      </VisuallyHidden>
      {running === null && (
        <VerifyForm
          key={shown?.id}
          branches={branches}
          initial={shown === null ? NOTHING_CHOSEN : choiceOf(shown.request, branches)}
          isOpen={isOpen}
          onToggle={setOpen}
          isFirst={last === null}
          busy={busy}
          onSubmit={start}
        />
      )}
      <ProblemNote text={problem} />
      <div ref={stage} tabIndex={-1} className={styles.stage}>
        {running !== null && <Running running={running} branches={branches} busy={busy} onCancel={cancel} />}
        {running === null && last !== null && (
          <Outcome
            workspaceId={workspaceId}
            verification={last}
            branches={branches}
            busy={busy}
            onStart={start}
            onChoose={() => setOpen(true)}
          />
        )}
      </div>
    </>
  )
}

/** Returns an announcement for screen readers. */
function announcement(running: Changes['running'], last: Changes['last']): string {
  if (running !== null) return `Verifying: ${CHANGE_STEP_WORDS[running.step]}`
  if (last === null) return ''
  const { outcome } = last
  if (outcome.kind === 'judged') return verdictWords(outcome.change)
  if (outcome.kind === 'needs-consent') return 'Your consent is needed to run the checks.'
  return outcome.kind === 'canceled' ? 'Canceled' : 'The change could not be verified.'
}

function Running({
  running: { request, startedAt, step },
  branches,
  busy,
  onCancel,
}: {
  running: NonNullable<Changes['running']>
  branches: Branches
  busy: boolean
  onCancel: () => void
}) {
  const elapsed = Math.max(0, useNow() - Date.parse(startedAt))
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <h3 className={styles.heading}>
          <span>
            Verifying <bdi>{harmlessLine(comparedWords(request, branches))}</bdi>
          </span>
        </h3>
        <Button acts aria-disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <p className="medium">
        {CHANGE_STEP_WORDS[step]}… <span className="quiet regular figures">{durationWords(elapsed)}</span>
      </p>
      <p className="measure quiet breaks pretty">
        You can leave this screen: verification continues, and the verdict appears here.
      </p>
    </div>
  )
}

function Outcome({
  workspaceId,
  verification,
  branches,
  busy,
  onStart,
  onChoose,
}: {
  workspaceId: string
  verification: Verification
  branches: Branches
  busy: boolean
  onStart: (request: ChangeRequest, consentTo?: string) => void
  onChoose: () => void
}) {
  const { request, outcome } = verification
  const compared = harmlessLine(comparedWords(request, branches))
  switch (outcome.kind) {
    case 'judged':
      return (
        <VerifyResult
          workspaceId={workspaceId}
          verification={verification}
          change={outcome.change}
          branches={branches}
        />
      )
    case 'needs-consent':
      return (
        <div className={styles.card}>
          <h3 className={styles.heading}>
            <Hand size={16} aria-hidden /> Run these commands of the base?
          </h3>
          <p className="measure quiet breaks pretty">
            To verify <bdi>{compared}</bdi>, Pulseward runs the base’s checks. They are not among the commands
            that you approved for this folder. They run in the sandbox if this machine has one, without
            variables that look like secrets. Nothing has run yet.
          </p>
          <ul className={styles.commands} aria-label="Commands">
            {outcome.commands.map((command) => (
              <li key={command}>
                <code>{harmlessLine(command)}</code>
              </li>
            ))}
          </ul>
          <div className={styles.buttons}>
            <Button
              acts
              look="primary"
              aria-disabled={busy}
              onClick={() => onStart(request, verification.id)}
            >
              Run and verify
            </Button>
            <Button acts aria-disabled={busy} onClick={() => onStart({ ...request, measure: false })}>
              Verify custody only
            </Button>
          </div>
        </div>
      )
    case 'problem':
      return (
        <Banner
          tone={outcome.problem === 'usage' ? 'problem' : 'environment'}
          icon={outcome.problem === 'usage' ? <CircleAlert size={16} /> : <Plug size={16} />}
          action={
            <Button look="quiet" onClick={onChoose}>
              Choose again
            </Button>
          }
        >
          <strong>Could not verify {compared}.</strong> <Prose text={outcome.message} />
        </Banner>
      )
    case 'canceled':
      return (
        <p className={styles.head}>
          <span>
            Canceled: <bdi>{compared}</bdi>. Nothing was judged, and nothing was left behind.
          </span>
          <Button acts aria-disabled={busy} onClick={() => onStart(request)}>
            Verify again
          </Button>
        </p>
      )
  }
}
