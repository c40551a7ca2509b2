import { type FormEvent, useState } from 'react'
import { PROBE_SOURCES, type ProbeSource } from '../../../../../core/configuration/checks.ts'
import { commandWords } from '../../../../../core/text/command-words.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { Draft } from '../use-draft.ts'
import screenStyles from '../workspace-settings.module.css'
import styles from './checks.module.css'
import { ProbeCard } from './probe-card.tsx'
import { labelOf, PLACEHOLDERS, probeNames } from './probe-source.ts'

/** A form for every probe of the draft, and for a new one. */
export function Probes({ workspaceId, draft }: { workspaceId: string; draft: Draft }) {
  const names = probeNames(draft.report.values)
  return (
    <section className="stack shrinks" aria-label="Probes" id="setup-probes" tabIndex={-1}>
      <h2 className={screenStyles.groupTitle}>Probes</h2>
      <p className={screenStyles.note}>
        Each reads one real value outside the agent. Checks use it, and claims are compared with it.
      </p>
      {names.map((name) => (
        <ProbeCard key={name} name={name} workspaceId={workspaceId} draft={draft} />
      ))}
      <AddProbe draft={draft} names={names} />
    </section>
  )
}

function AddProbe({ draft, names }: { draft: Draft; names: readonly string[] }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [source, setSource] = useState<ProbeSource>('command')
  const [value, setValue] = useState('')
  if (!open) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>Add a probe…</Button>
      </div>
    )
  }
  const problem = nameProblem(name, names)
  const isWhole = name !== '' && problem === null && value.trim() !== ''
  const close = () => {
    setOpen(false)
    setName('')
    setValue('')
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (!isWhole) return
    const written = source === 'command' ? commandWords(value) : value.trim()
    draft.edit(['probes', name, source], written)
    close()
  }
  return (
    <form className={styles.card} onSubmit={add} aria-label="Add a probe">
      <div className={styles.line}>
        <TextField
          label="Name"
          hint="As checks refer to it, for example unread_mails."
          value={name}
          problem={problem}
          spellCheck={false}
          autoComplete="off"
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Read from"
          value={source}
          onChange={({ target }) => setSource(target.value as ProbeSource)}
        >
          {PROBE_SOURCES.map((each) => (
            <option key={each} value={each}>
              {labelOf(each)}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={labelOf(source)}
        placeholder={PLACEHOLDERS[source]}
        value={value}
        spellCheck={false}
        autoComplete="off"
        maxLength={4096}
        onChange={({ target }) => setValue(target.value)}
      />
      <div className="row flow">
        <Button type="submit" aria-disabled={!isWhole}>
          Add
        </Button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function nameProblem(name: string, names: readonly string[]): string | null {
  if (names.includes(name)) return 'There is a probe of this name already.'
  // The file's parser checks whether expressions reserve the name.
  return name === '' || /^[A-Za-z_]\w*$/.test(name) ? null : 'Letters, digits and “_”, and no digit first.'
}
