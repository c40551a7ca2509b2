import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { applyCriterionEdit, type CriterionEdit } from '../../../../../core/contract/criterion-edit.ts'
import type { TaskDefinition } from '../../../../../core/contract/types.ts'
import { Button } from '../../../ui/button.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import { FieldLine } from './field-line.tsx'
import styles from './form.module.css'

/** Conditions for the task to be done, which the agent is shown. */
export function Criteria({
  session,
  task,
  index,
}: {
  session: ContractSession
  task: TaskDefinition
  index: number
}) {
  const edit = (change: CriterionEdit, how?: 'typing') =>
    session.edit((source) => applyCriterionEdit(source, change), how)
  return (
    <fieldset className={styles.criteria}>
      <legend className={styles.label}>Acceptance criteria</legend>
      {task.criteria.length > 0 && (
        <ul className="stack gap-icon">
          {task.criteria.map(({ text, checked, verify }, criterion) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: criteria are identified only by their position, and have no state
            <li key={criterion} className={styles.criterion}>
              <input
                type="checkbox"
                aria-label={`Done: ${text}`}
                checked={checked === true}
                disabled={checked === null}
                onChange={() => edit({ kind: 'toggle', task: index, criterion })}
              />
              <FieldLine
                label={`Criterion ${criterion + 1}`}
                isLabelHidden
                value={text}
                commit={(value) => edit({ kind: 'set', task: index, criterion, text: value }, 'typing')}
              />
              <div className={styles.criterionHint}>
                <FieldLine
                  label={`Check of criterion ${criterion + 1}`}
                  isLabelHidden
                  placeholder="its own check, if any"
                  value={verify ?? ''}
                  spellCheck={false}
                  commit={(hint) =>
                    edit(
                      {
                        kind: 'set',
                        task: index,
                        criterion,
                        text,
                        verify: hint.trim() === '' ? null : hint.trim(),
                      },
                      'typing',
                    )
                  }
                  data-mono
                />
              </div>
              <Button
                look="icon"
                aria-label={`Remove the criterion ${text}`}
                onClick={() => edit({ kind: 'remove', task: index, criterion })}
              >
                <X size={14} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewCriterion onAdd={(text) => edit({ kind: 'add', task: index, text })} />
    </fieldset>
  )
}

function NewCriterion({ onAdd }: { onAdd: (text: string) => string | null }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const add = (event: FormEvent) => {
    event.preventDefault()
    const refused = onAdd(text)
    setProblem(refused)
    if (refused === null) setText('')
  }
  return (
    <form className={styles.newCriterion} onSubmit={add}>
      <input
        className={styles.input}
        dir="auto"
        aria-label="New criterion"
        placeholder="Another criterion"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" aria-disabled={text.trim() === ''}>
        Add
      </Button>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
