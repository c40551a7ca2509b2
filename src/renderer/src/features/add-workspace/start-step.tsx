import { Fragment } from 'react'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { TrustReview } from '../trust/trust-review.tsx'
import styles from './add-workspace.module.css'
import { useSetup } from './add-workspace-state.ts'
import { contractText, useSetupData } from './use-new-files.ts'

/** The score in four sentences, what would run, and the only button that writes anything. */
export function StartStep() {
  const { value } = useAnswer((api) => api.setup.templates, undefined)
  const data = useSetupData()
  const change = useSetup((state) => state.change)
  const { create, busy, problem } = useCreate(contractText(data, value?.templates ?? []))
  const { report, folder } = data
  if (report === null || folder === null) return null
  const written = [
    ...(folder.contract === null ? ['HEARTBEAT.md'] : []),
    ...(folder.configuration === null ? ['pulseward.toml'] : []),
  ]
  const isReady = !busy && (value !== null || folder.contract !== null)
  return (
    <>
      <section className={styles.score} aria-label="How the score works">
        <h3 className={styles.fileName}>How the score works</h3>
        <p>
          A task that Pulseward has measured to be done gives 10 points, an optional one 5; one that is not
          done costs 15, and a claim that the measurement contradicts costs 30 more. Each day begins at 0 and
          has a target, the average of the last good days, which once raised never falls again. The share of
          the target that is reached is the standing: a high one lengthens the time between heartbeats, a low
          one shortens it and in the end makes every task required. You have the last word: thumbs move the
          score, and any verdict can be overruled.
        </p>
      </section>
      <TrustReview workspaceId={null} trust={report.trust} />
      <p className={styles.lead}>
        {written.length === 0 ? (
          'Nothing is written into the folder: it has both files.'
        ) : (
          <>
            Writes{' '}
            {written.map((name, index) => (
              <Fragment key={name}>
                {index > 0 && ' and '}
                <code>{name}</code>
              </Fragment>
            ))}{' '}
            into{' '}
            <code>
              <bdi>{folder.path}</bdi>
            </code>
            . An existing file is never replaced.
          </>
        )}
      </p>
      {problem !== null && (
        <p className="small problem breaks" role="alert">
          {problem}{' '}
          <Button onClick={() => change({ step: 1, folder: null, report: null })}>
            Check the folder again
          </Button>
        </p>
      )}
      <div className={styles.buttons}>
        <Button onClick={() => change({ step: 3 })}>Back</Button>
        <Button look="primary" aria-disabled={!isReady} onClick={() => isReady && create(true)}>
          {busy ? 'Starting…' : 'Approve and start'}
        </Button>
        <Button aria-disabled={!isReady} onClick={() => isReady && create(false)}>
          Add without approving
        </Button>
      </div>
    </>
  )
}

function useCreate(contract: string) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const data = useSetupData()
  const reset = useSetup((state) => state.reset)
  const { busy, problem, submit } = useSubmit()
  const create = (approve: boolean) =>
    submit(async () => {
      const { folder, report } = data
      if (folder === null || report === null) return
      const workspace = await api.setup.create({
        path: folder.path,
        contract: folder.contract === null ? contract : null,
        configuration: folder.configuration === null ? report.text : null,
        approve: approve ? report.textHash : null,
      })
      await refresh()
      navigate(routeTo(workspace.id))
      reset()
    })
  return { create, busy, problem }
}
