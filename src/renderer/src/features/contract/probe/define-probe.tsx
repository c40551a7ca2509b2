import { type FormEvent, useState } from 'react'
import type { ApiClient } from '../../../../../api/client.ts'
import { commandWords } from '../../../../../core/text/command-words.ts'
import { useApp } from '../../../store/use-app.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSubmit } from '../../../ui/use-submit.ts'
import styles from './define-probe.module.css'

const SOURCES = {
  command: {
    label: 'Program',
    placeholder: './count-mail --unread',
    hint: 'Run without a shell; quotes keep words together.',
  },
  file: { label: 'File', placeholder: 'notes/count.txt', hint: 'From the workspace.' },
  url: { label: 'Address', placeholder: 'http://127.0.0.1:8080/health', hint: 'Asked without a body.' },
} as const

type Source = keyof typeof SOURCES

const PARSES = ['number', 'text', 'json', 'exit'] as const

interface Definition {
  readonly source: Source
  readonly value: string
  readonly parse: (typeof PARSES)[number]
  readonly path: string
}

/** The result of trying a definition: the value it reads, and the configuration that contains it. */
interface Trial {
  readonly value: string
  readonly text: string
  readonly hash: string | null
  readonly approve: boolean
}

/** Defines a probe for a name in a check that nothing measures yet, after a trial has shown its value. */
export function DefineProbe({ workspaceId, name }: { workspaceId: string; name: string }) {
  const [open, setOpen] = useState(false)
  if (!open) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>
          <span>
            Define <code>{name}</code>…
          </span>
        </Button>
      </div>
    )
  }
  return <ProbeForm workspaceId={workspaceId} name={name} onClose={() => setOpen(false)} />
}

function ProbeForm({
  workspaceId,
  name,
  onClose,
}: {
  workspaceId: string
  name: string
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  const [definition, setDefinition] = useState<Definition>({
    source: 'command',
    value: '',
    parse: 'number',
    path: '',
  })
  const [trial, setTrial] = useState<Trial | null>(null)
  const { busy, problem, submit } = useSubmit()
  const isEmpty = definition.value.trim() === ''
  // Only a definition that was tried can be saved: a change requires another trial.
  const change = (some: Partial<Definition>) => {
    setTrial(null)
    setDefinition({ ...definition, ...some })
  }
  const tryIt = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty) void submit(async () => setTrial(await tried(api, workspaceId, name, definition)))
  }
  const write = ({ text, hash, approve }: Trial) =>
    submit(async () => {
      await api.configuration.put({ workspace: workspaceId, text, hash, approve })
      showToast({
        tone: 'plain',
        text: approve
          ? `${name} is defined, and approved.`
          : `${name} is written into pulseward.toml; it takes effect once you approve the file.`,
        undo: null,
      })
      await refresh()
      onClose()
    })
  return (
    <form className={styles.form} onSubmit={tryIt} aria-label={`Define ${name}`}>
      <DefinitionFields name={name} definition={definition} onChange={change} />
      <div role="status">
        {trial !== null && (
          <p className="breaks">
            <code>{name}</code> is <strong>{trial.value}</strong> now.
          </p>
        )}
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className="flow">
        <Button type="submit" aria-disabled={busy || isEmpty}>
          {busy && trial === null ? 'Reading…' : 'Try it'}
        </Button>
        {trial !== null && (
          <Button look="primary" aria-disabled={busy} onClick={() => void write(trial)}>
            {trial.approve ? 'Write and approve it' : 'Write it'}
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function DefinitionFields({
  name,
  definition,
  onChange,
}: {
  name: string
  definition: Definition
  onChange: (some: Partial<Definition>) => void
}) {
  const { label, placeholder, hint } = SOURCES[definition.source]
  return (
    <>
      <div className={styles.line}>
        <SelectField
          label={`Where ${name} is read`}
          value={definition.source}
          onChange={({ target }) => onChange({ source: target.value as Source })}
        >
          {Object.entries(SOURCES).map(([source, words]) => (
            <option key={source} value={source}>
              {words.label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Read as"
          value={definition.parse}
          onChange={({ target }) => onChange({ parse: target.value as Definition['parse'] })}
        >
          {PARSES.map((parse) => (
            <option key={parse} value={parse}>
              {parse === 'exit' ? 'exit code' : parse}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label={label}
        placeholder={placeholder}
        hint={hint}
        value={definition.value}
        maxLength={4096}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange({ value: target.value })}
      />
      {definition.parse === 'json' && (
        <TextField
          label="Place of the value"
          placeholder="tests.passed"
          value={definition.path}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange({ path: target.value })}
        />
      )}
    </>
  )
}

/** Reads the probe once with this definition. Rejects with the reason if it cannot be read or written. */
async function tried(
  api: ApiClient,
  workspace: string,
  name: string,
  { source, value, parse, path }: Definition,
): Promise<Trial> {
  const before = await api.configuration.get({ workspace })
  const at = (key: string) => ['probes', name, key]
  const edits = [
    { path: at(source), value: source === 'command' ? commandWords(value) : value.trim() },
    { path: at('parse'), value: parse },
    ...(parse === 'json' && path.trim() !== '' ? [{ path: at('path'), value: path.trim() }] : []),
  ]
  const edited = await api.configuration.check({ workspace, text: before.text, edits })
  const wrong = edited.refusal ?? edited.problems[0]?.message
  if (wrong !== undefined) throw new Error(wrong)
  const reading = await api.configuration.tryProbe({ workspace, text: edited.text, name })
  if (reading.problem !== null) throw new Error(`It could not be read: ${reading.problem}`)
  return {
    value: typeof reading.value === 'string' ? reading.value : JSON.stringify(reading.value),
    text: edited.text,
    hash: before.hash,
    // Other changes that await approval are not approved along with it.
    approve: before.trust.state === 'approved',
  }
}
