import { helpAddress, routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import styles from './welcome.module.css'

/** The first run: what Pulseward is, in one sentence, and the two ways to start. */
export function Welcome({ onAddFolder }: { onAddFolder: () => void }) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { busy, problem, submit } = useSubmit()
  const openSample = () =>
    submit(async () => {
      const workspace = await api.workspaces.openSample()
      await refresh()
      navigate(routeTo(workspace.id))
      // The button disappears with the screen: otherwise the next Tab would continue in the middle of the new one.
      document.getElementById('content')?.focus()
    })
  return (
    <div className={styles.welcome}>
      <div className={styles.comparison} aria-hidden>
        <span>claimed 3</span>
        <span className={styles.sign}>
          <EqualitySign agrees={false} large />
        </span>
        <span className={styles.measured}>measured 0</span>
      </div>
      <h1 className={styles.title}>Know what your agent really did.</h1>
      <p className={styles.lead}>
        Pulseward runs an agent on the tasks in a folder’s <code>HEARTBEAT.md</code>, checks its claims
        against reality, and keeps score.
      </p>
      <div className={styles.actions}>
        <Button look="primary" aria-disabled={busy} onClick={openSample}>
          {busy ? 'Opening the sample…' : 'Open the sample'}
        </Button>
        <Button onClick={onAddFolder}>Add a folder</Button>
      </div>
      <p className={styles.note}>
        The sample needs no key and no network: a small scripted agent does some tasks honestly and lies about
        others. <a href={helpAddress()}>How it works</a>
      </p>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
