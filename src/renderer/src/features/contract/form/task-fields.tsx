import { useId } from 'react'
import { applyEdit, type FieldChange } from '../../../../../core/contract/edit.ts'
import { BUILT_IN_FUNCTIONS } from '../../../../../core/contract/hint.ts'
import { slugify } from '../../../../../core/contract/parse.ts'
import type { TaskDefinition } from '../../../../../core/contract/types.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import type { ContractSession } from '../session/contract-session.ts'
import type { SessionState } from '../session/session-state.ts'
import { FieldLine } from './field-line.tsx'
import styles from './form.module.css'

/** The fields of a task's line. Every change appears in the text at once. */
export function TaskFields({
  session,
  task,
  index,
  world,
}: {
  session: ContractSession
  task: TaskDefinition
  index: number
  world: SessionState['world']
}) {
  const set = (change: FieldChange, how?: 'typing') =>
    session.edit((source) => applyEdit(source, { kind: 'set', task: index, change }), how)
  const has = (kind: string) => task.fields.some((field) => field.kind === kind)
  return (
    <div className={styles.fields}>
      <FieldLine
        label="Id"
        value={task.id}
        normalise={slugify}
        spellCheck={false}
        commit={(value) => set({ field: 'id', value }, 'typing')}
      />
      <SelectField
        label="Counts as"
        value={task.required ? 'required' : 'optional'}
        onChange={(event) => set({ field: 'required', value: event.target.value === 'required' })}
      >
        <option value="required">required</option>
        <option value="optional">optional</option>
      </SelectField>
      <FieldLine
        label="Attempts"
        inputMode="numeric"
        placeholder="3"
        value={has('max-attempts') ? String(task.maxAttempts) : ''}
        commit={(text) => set({ field: 'maxAttempts', value: attempts(text) }, 'typing')}
      />
      <div className={styles.wide}>
        <FieldLine
          label="Description"
          value={task.description}
          commit={(value) => set({ field: 'description', value }, 'typing')}
        />
      </div>
      <div className={styles.wide}>
        <HintField
          value={has('verify') ? task.verify : ''}
          world={world}
          commit={(value) => set({ field: 'verify', value }, 'typing')}
        />
      </div>
      <div className={styles.wide}>
        <FieldLine
          label="May change: tests and other protected files that are its work"
          placeholder="none; globs with commas between them, such as test/**"
          value={task.mayChange.join(', ')}
          spellCheck={false}
          commit={(text) => set({ field: 'mayChange', value: globs(text) }, 'typing')}
          data-mono
        />
      </div>
      <div className={styles.wide}>
        <FieldLine
          label="Only when: run only while this is true"
          placeholder="always; a condition over probes, such as inbox > 0"
          value={task.when ?? ''}
          spellCheck={false}
          commit={(text) => set({ field: 'when', value: text.trim() === '' ? null : text }, 'typing')}
          data-mono
        />
      </div>
      <FieldLine
        label="Model"
        placeholder="the agent’s"
        value={task.model ?? ''}
        spellCheck={false}
        commit={(text) => set({ field: 'model', value: text.trim() === '' ? null : text }, 'typing')}
      />
      <SelectField
        label="Files"
        value={task.writesNoFiles ? 'never' : 'auto'}
        onChange={(event) => set({ field: 'writesNoFiles', value: event.target.value === 'never' || null })}
      >
        <option value="auto">expected where it claims any</option>
        <option value="never">writes none</option>
      </SelectField>
    </div>
  )
}

function HintField({
  value,
  world,
  commit,
}: {
  value: string
  world: SessionState['world']
  commit: (text: string) => string | null
}) {
  const listId = useId()
  return (
    <>
      <FieldLine
        label="Check"
        placeholder='a probe, or a condition such as changed("CHANGELOG.md")'
        value={value}
        spellCheck={false}
        list={listId}
        commit={commit}
        data-mono
      />
      <datalist id={listId}>
        {world.probes.map(({ name }) => (
          <option key={name} value={name} />
        ))}
        {BUILT_IN_FUNCTIONS.map(({ name }) => (
          <option key={name} value={`${name}("")`} />
        ))}
      </datalist>
    </>
  )
}

/** Splits globs at commas; a comma within braces is part of its glob. */
function globs(text: string): readonly string[] | null {
  const found = (text.match(/(?:\{[^}]*\}|[^,{])+/g) ?? [])
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
  return found.length === 0 ? null : found
}

/** Parses a number of attempts: an empty field means the default; anything but a number is rejected by the rules, with their message. */
function attempts(text: string): number | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : /^\d+$/.test(trimmed) ? Number(trimmed) : Number.NaN
}
