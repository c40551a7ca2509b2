import { useState } from 'react'
import type { KnownAgent } from '../../../../core/read-model/agent.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { Button } from '../../ui/button.tsx'
import { Term } from '../../ui/term.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import styles from './agent.module.css'
import { BREAKER_EFFECTS, BREAKER_TITLES, countsInWords, nextStepInWords } from './breaker-words.ts'
import { ResetDialog } from './reset-dialog.tsx'

/** The state of an agent's circuit breaker, the reason, and what would lead to its next step. */
export function BreakerPanel({ workspaceId, agent }: { workspaceId: string; agent: KnownAgent }) {
  const { breaker } = agent
  const { state, since, reason } = breaker
  const [resetting, setResetting] = useState(false)
  return (
    <section className={styles.panel} aria-label="Circuit breaker">
      <h2>
        <Term name="breaker">Circuit breaker</Term>
      </h2>
      <p className={styles.state} data-state={state}>
        <strong>{BREAKER_TITLES[state]}</strong>
        {since !== null && (
          <>
            {' '}
            since <RelativeTime at={since} />
          </>
        )}
      </p>
      {reason !== '' && <p dir="auto">{sentence(reason)}.</p>}
      <p>
        {BREAKER_EFFECTS[state]} {nextStepInWords(breaker)}
      </p>
      <ul className="tiny faint">
        {countsInWords(breaker).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        {state === 'tripped' && <a href={routeTo(workspaceId, 'timeline')}>View what happened</a>}
        <Button onClick={() => setResetting(true)}>Reset…</Button>
      </div>
      {resetting && <ResetDialog workspaceId={workspaceId} onClose={() => setResetting(false)} />}
    </section>
  )
}
