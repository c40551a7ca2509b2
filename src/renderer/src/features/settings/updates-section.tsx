import { useState } from 'react'
import type { Settings } from '../../../../api/schemas/settings.ts'
import type { UpdateOutcome, UpdateStatus } from '../../../../core/update/status.ts'
import { exactTime } from '../../format/moments.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { AppSetting } from './app-setting.tsx'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

/** Newer versions: checked on request or on the chosen schedule; installed only on request. */
export function UpdatesSection({ settings, change }: { settings: Settings; change: ChangeSettings }) {
  const api = useApp((state) => state.api)
  // The app's menu, another window or the schedule may check too.
  const looks = useApp((state) => state.looksForUpdates)
  const { value: status, retry } = useAnswer((api) => api.updates.status, undefined, looks)
  const [outcome, setOutcome] = useState<UpdateOutcome | null>(null)
  const { busy, problem, submit } = useSubmit()
  const check = () => submit(() => api.updates.check().then(retry))
  const install = () => submit(async () => setOutcome(await api.updates.install({})))
  const rollBack = () => submit(async () => setOutcome(await api.updates.rollBack()))
  return (
    <Section id="updates">
      {status !== null && status.feed === null ? (
        <p className={styles.note}>This build has no update source.</p>
      ) : (
        <AppSetting name="lookForUpdates" settings={settings} change={change} />
      )}
      {status !== null && <Known status={status} />}
      <div className={styles.choices}>
        {status?.feed != null && (
          <Button aria-disabled={busy} onClick={() => void check()}>
            {busy ? 'One moment…' : 'Check for updates'}
          </Button>
        )}
        {status?.newer[0] !== undefined && outcome === null && (
          <Button aria-disabled={busy} onClick={() => void install()}>
            Install {status.newer[0].version}
          </Button>
        )}
        {status?.before != null && outcome === null && (
          <Button aria-disabled={busy} onClick={() => void rollBack()}>
            Back to {status.before.version}
          </Button>
        )}
      </div>
      {outcome !== null && <Outcome outcome={outcome} />}
      <ProblemNote text={problem} />
    </Section>
  )
}

function Known({ status: { version, feed, checkedAt, problem, newer } }: { status: UpdateStatus }) {
  const looked = checkedAt === null ? null : exactTime(Date.parse(checkedAt))
  return (
    <>
      {newer.length === 0 && feed !== null && (
        <p className={styles.note}>
          {looked === null
            ? 'Not checked for updates yet. Nothing is downloaded unless you ask.'
            : `${version} is the newest known, as of ${looked}.`}
        </p>
      )}
      {newer.map((release) => (
        <article key={release.version} aria-label={`Version ${release.version}`}>
          <h3 className={styles.legend}>
            {release.version}, {release.date}
          </h3>
          <p className={styles.changes}>{release.changes.trim()}</p>
        </article>
      ))}
      {problem !== null && <p className={styles.note}>The last check for updates failed: {problem}</p>}
    </>
  )
}

function Outcome({ outcome: { version, installed, command, notes } }: { outcome: UpdateOutcome }) {
  return (
    <div role="status">
      {installed ? (
        <p>Pulseward {version} is installed.</p>
      ) : (
        <>
          <p>Pulseward {version} is fetched and verified. Run in a terminal, when you like:</p>
          <p>
            <code className="breaks">{command.join(' ')}</code>
          </p>
        </>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </div>
  )
}
