import { FileDiff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import type { Conflict, ConflictChoice } from '../session/session-state.ts'
import styles from './conflict.module.css'
import { DiffView } from './diff-view.tsx'

const LABELS: Readonly<Record<ConflictChoice, string>> = {
  mine: 'Yours',
  theirs: 'On disk',
  merged: 'Both (merged)',
}

const WORDS: Readonly<Record<ConflictChoice, string>> = {
  mine: 'Your text stays. Saving it replaces the file.',
  theirs: 'The file replaces your text. Undo brings yours back.',
  merged: 'Your changes and those on disk, line by line. Nothing is written before you save.',
}

const ACTIONS: Readonly<Record<ConflictChoice, string>> = {
  mine: 'Keep mine',
  theirs: 'Take the one on disk',
  merged: 'Take both',
}

/** Asks how to resolve a file that changed on disk while the text has unsaved changes; shows the effect of each choice as a diff. */
export function ConflictPanel({
  session,
  conflict,
  source,
}: {
  session: ContractSession
  conflict: Conflict
  source: string
}) {
  const { merged } = session
  const [picked, setPicked] = useState<ConflictChoice | null>(null)
  const likely = merged === null ? 'mine' : 'merged'
  const choice = picked === null || (picked === 'merged' && merged === null) ? likely : picked
  const choices: readonly ConflictChoice[] =
    merged === null ? ['mine', 'theirs'] : ['merged', 'mine', 'theirs']
  return (
    <section className={styles.panel} aria-label="Changed on disk" aria-live="polite">
      <div className={styles.head}>
        <FileDiff size={16} aria-hidden />
        <p>
          <strong>HEARTBEAT.md has changed on disk while you were editing it.</strong>{' '}
          {merged === null
            ? 'Both changed the same lines, so they can’t be merged.'
            : 'The changes don’t overlap.'}
        </p>
      </div>
      <fieldset className={styles.choices}>
        <legend className={styles.legend}>Keep</legend>
        {choices.map((each) => (
          <label key={each} className="row gap-icon">
            <input type="radio" name="conflict" checked={each === choice} onChange={() => setPicked(each)} />
            {LABELS[each]}
          </label>
        ))}
      </fieldset>
      <p className="quiet">{WORDS[choice]}</p>
      <Shown choice={choice} mine={source} theirs={conflict.theirs.text} merged={merged ?? source} />
      <div>
        <Button look="primary" onClick={() => session.resolve(choice)}>
          {ACTIONS[choice]}
        </Button>
      </div>
    </section>
  )
}

/** The chosen text next to the one it replaces. */
function Shown({
  choice,
  mine,
  theirs,
  merged,
}: {
  choice: ConflictChoice
  mine: string
  theirs: string
  merged: string
}) {
  switch (choice) {
    case 'mine':
      return <DiffView before={theirs} after={mine} labels={['On disk', 'Yours']} />
    case 'theirs':
      return <DiffView before={mine} after={theirs} labels={['Yours', 'On disk']} />
    case 'merged':
      return <DiffView before={mine} after={merged} labels={['Yours', 'Both (merged)']} />
  }
}
