import { takenDuration } from '../../../../../core/pacing/duration-words.ts'
import type { Draft } from '../use-draft.ts'
import styles from './checks.module.css'
import { TrialLine } from './trial-line.tsx'
import { useTrial } from './use-trial.ts'

const WORDS = { passed: '✓ passed', failed: '✕ failed', unavailable: '? no result' } as const

/** Runs all gates once, as the draft defines them. */
export function GatesTrial({ workspaceId, draft }: { workspaceId: string; draft: Draft }) {
  const { busy, result, problem, start, stop } = useTrial(draft, (api, text, signal) =>
    api.configuration.tryGates({ workspace: workspaceId, text }, { signal }),
  )
  return (
    <TrialLine
      of="the gates"
      busy={busy}
      problem={problem}
      hindrance={hindranceOf(draft)}
      note="Runs them in the folder now; nothing is scored."
      onStart={() => void start()}
      onStop={stop}
    >
      {result?.gates.length === 0 && <p>There is no gate to run.</p>}
      {result !== null && result.gates.length > 0 && (
        <ul className={styles.gates}>
          {result.gates.map(({ command, status, detail, durationMs }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same gate may stand there twice
            <li key={index} data-status={status}>
              <p>
                <strong>{WORDS[status]}</strong> <code>{command.join(' ')}</code>{' '}
                <span className="small quiet">in {takenDuration(durationMs)}</span>
              </p>
              {detail !== '' && <pre className={styles.detail}>{detail}</pre>}
            </li>
          ))}
        </ul>
      )}
    </TrialLine>
  )
}

function hindranceOf({ report }: Draft): string | null {
  const { values, inFileOnly } = report
  const isSet = values['gates.commands'] !== undefined || inFileOnly.includes('gates.commands')
  return isSet ? null : 'No gate is written yet.'
}
