import { useState } from 'react'
import type { Branches, ChangeRequest } from '../../../../api/procedures/changes.ts'
import { MAX_DESCRIPTION, MAX_REVISION } from '../../../../core/change/limits.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import styles from './verify.module.css'
import { DEFAULT, requestOf, shortName, TYPED, type VerifyChoice, WORK_TREE } from './verify-words.ts'

/** Selects what is compared, and how. Folded once there is a verdict, which comes first. */
export function VerifyForm({
  branches,
  initial,
  isOpen,
  onToggle,
  isFirst,
  busy,
  onSubmit,
}: {
  branches: Branches
  initial: VerifyChoice
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Nothing has been verified yet: only the form is shown. */
  isFirst: boolean
  busy: boolean
  onSubmit: (request: ChangeRequest) => void
}) {
  const [choice, setChoice] = useState(initial)
  const change = (part: Partial<VerifyChoice>) => setChoice((before) => ({ ...before, ...part }))
  const form = (
    <form
      className={styles.form}
      aria-label="What to verify"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit(requestOf(choice))
      }}
    >
      <div className={styles.sides}>
        <Side
          label="Base"
          value={choice.base}
          typed={choice.typedBase}
          branches={branches}
          byDefault={branches.base === null ? 'Choose a base' : `Default: ${shortName(branches.base)}`}
          hint="How the change is judged comes from here: the last commit that both sides share."
          onChange={(base) => change({ base })}
          onType={(typedBase) => change({ typedBase })}
        />
        <Side
          label="Head"
          value={choice.head}
          typed={choice.typedHead}
          branches={branches}
          byDefault={defaultHeadWords(branches)}
          hint="The change itself."
          hasWorkTree={branches.top !== null}
          onChange={(head) => change({ head })}
          onType={(typedHead) => change({ typedHead })}
        />
      </div>
      <label className={styles.description}>
        <span>
          Description <span className="tiny faint regular">(optional)</span>
        </span>
        <textarea
          value={choice.claims}
          maxLength={MAX_DESCRIPTION}
          rows={4}
          dir="auto"
          placeholder="Title and text of the pull request, commit messages, or the agent’s last message"
          onChange={({ target }) => change({ claims: target.value })}
        />
        <span className="tiny faint regular">
          Its claims are compared with what is measured. What can’t be measured is listed as unread.
        </span>
      </label>
      <ToggleField
        label="Run the base’s checks"
        hint="Commands that you have not approved are listed first. Off: custody and claims only, in seconds."
        checked={choice.measure}
        onChange={({ target }) => change({ measure: target.checked })}
      />
      <div className={styles.buttons}>
        <Button type="submit" look="primary" aria-disabled={busy}>
          Verify
        </Button>
      </div>
    </form>
  )
  if (isFirst) return <div className={styles.card}>{form}</div>
  return (
    <details
      className={styles.card}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className={styles.summary}>Verify another change</summary>
      {form}
    </details>
  )
}

function defaultHeadWords({ top, current }: Branches): string {
  const head = current === null ? 'HEAD' : shortName(current)
  return `Default: ${top === null ? head : `the work tree if it has changes, else ${head}`}`
}

/** One side of the comparison: a branch, or any typed revision. */
function Side({
  label,
  value,
  typed,
  branches: { local, remote, hasMore },
  byDefault,
  hint,
  hasWorkTree = false,
  onChange,
  onType,
}: {
  label: string
  value: string
  typed: string
  branches: Branches
  byDefault: string
  hint: string
  hasWorkTree?: boolean
  onChange: (value: string) => void
  onType: (typed: string) => void
}) {
  return (
    <div className={styles.side}>
      <SelectField
        label={label}
        hint={hasMore ? `${hint} Older branches can be typed.` : hint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value={DEFAULT}>{harmlessLine(byDefault)}</option>
        {hasWorkTree && <option value={WORK_TREE}>The work tree</option>}
        <option value={TYPED}>Another branch, tag or commit…</option>
        <BranchGroup label="Branches" names={local} />
        <BranchGroup label="Remote branches" names={remote} />
      </SelectField>
      {value === TYPED && (
        <TextField
          label={`${label}: branch, tag or commit`}
          value={typed}
          maxLength={MAX_REVISION}
          spellCheck={false}
          placeholder="origin/feature, v1.2.0, a1b2c3d"
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </div>
  )
}

function BranchGroup({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name}>
          {harmlessLine(shortName(name))}
        </option>
      ))}
    </optgroup>
  )
}
