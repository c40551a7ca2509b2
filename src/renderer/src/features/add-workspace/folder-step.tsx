import { Folder, FolderCheck } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { FolderListing } from '../../../../api/schemas/setup.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { FolderField } from '../../ui/folder-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './add-workspace.module.css'
import { useSetup } from './add-workspace-state.ts'
import { StepButtons } from './step-buttons.tsx'

/** A folder on the host's machine: chosen in the system's dialog on the desktop, or by typing its path with completion. */
export function FolderStep() {
  const api = useApp((state) => state.api)
  const path = useSetup((state) => state.path)
  const folder = useSetup((state) => state.folder)
  const change = useSetup((state) => state.change)
  const { busy, problem, submit } = useSubmit()
  const [refusal, setRefusal] = useState<string | null>(null)
  const warning = folder?.warning ?? null
  const write = useCallback(
    (next: string) => {
      setRefusal(null)
      change({ path: next, folder: null, report: null, dryRun: null, configuration: null })
    },
    [change],
  )
  const next = () =>
    submit(async () => {
      const found = await api.setup.inspect({ path: path.trim() })
      if (found.problem !== null) return setRefusal(found.problem)
      change({ folder: found, path: found.path })
      // A user who continues after reading the warning means it.
      if (found.workspace === null && (found.warning === null || found.warning === warning)) {
        change({ step: 2 })
      }
    })
  const known = folder?.workspace ?? null
  return (
    <form
      className="stack gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (path.trim() !== '') void next()
      }}
    >
      <FolderField
        value={path}
        problem={refusal ?? problem}
        hint="A project, notes or a report that the agent will work on. Nothing in it is changed yet."
        placeholder="~/src/backend"
        onChange={write}
      />
      {known !== null && (
        <p className={styles.note} role="status">
          This folder is already supervised. <a href={routeTo(known)}>View its workspace</a>, or choose
          another.
        </p>
      )}
      {known === null && warning !== null && (
        <p className={styles.caution} role="status">
          {warning}
        </p>
      )}
      <StepButtons
        busy={busy}
        label={known === null && warning !== null ? 'Use it anyway' : 'Next'}
        hindrance={path.trim() === '' ? 'Choose a folder, or type its path.' : null}
        onNext={() => void next()}
      />
      {/* Below the buttons, so that they don't move when this appears while you reach for them. */}
      <Completion path={path} onChoose={write} />
      <button type="submit" hidden tabIndex={-1} aria-hidden />
    </form>
  )
}

/** The pause in typing a path after which the host is asked. */
const PAUSE_MS = 120

function Completion({ path, onChoose }: { path: string; onChoose: (path: string) => void }) {
  const api = useApp((state) => state.api)
  const [listing, setListing] = useState<FolderListing | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(() => {
      api.setup.folders({ path }, { signal: abort.signal }).then(
        (found) => !abort.signal.aborted && setListing(found),
        // A missing list is not a problem: the whole path can be typed.
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [api, path])
  if (listing === null) return null
  const { parent, folders, isCut, problem } = listing
  const separator = parent.slice(-1)
  return (
    <section className={styles.completion} aria-label="Folders">
      <p className={styles.place}>
        <bdi>{parent}</bdi>
        {isCut && <span> (the first {folders.length}; type on for others)</span>}
      </p>
      {folders.length === 0 ? (
        <p className={styles.note}>{problem ?? 'No folder here starts with that.'}</p>
      ) : (
        <ul className={styles.folders}>
          {folders.map(({ name, path: full, hasContract }) => (
            <li key={full}>
              <button type="button" className={styles.folder} onClick={() => onChoose(full + separator)}>
                {hasContract ? <FolderCheck size={15} aria-hidden /> : <Folder size={15} aria-hidden />}
                <bdi>{name}</bdi>
                {hasContract && <span className="tiny quiet regular breaks">has a HEARTBEAT.md</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
