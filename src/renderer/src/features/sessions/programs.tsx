import { useState } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { shadowInWords } from '../../../../core/read-model/session-words.ts'
import {
  type HookedAgent,
  SESSION_AGENT_NAMES,
  type SessionMode,
} from '../../../../core/vocabulary/session.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { PatchView } from '../../ui/patch-view.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { HOOK_WORDS } from './session-words.ts'
import styles from './sessions.module.css'

type Hook = Awaited<ReturnType<ApiClient['hooks']['status']>>['agents'][number]

/** The programs in which the hook is installed, whether it can be called, and its mode. */
export function Programs({ workspaceId }: { workspaceId: string }) {
  const { value, problem, retry } = useAnswer((api) => api.hooks.status, {})
  const [changed, setChanged] = useState<readonly Hook[] | null>(null)
  const [planned, setPlanned] = useState<HookedAgent | null>(null)
  const hooks = changed ?? value?.agents ?? null
  return (
    <section className="stack gap-3" aria-label="Programs">
      <h3>
        Programs <HelpLink page="sessions" about="sessions" />
      </h3>
      <p className="measure quiet breaks pretty">
        Judges the agents that you run yourself, in any approved workspace. Shadow mode only counts what it
        would have blocked; gate sends the agent back with the fact that is wrong.
      </p>
      <Shadow workspaceId={workspaceId} />
      {hooks === null && problem === null && <Skeleton width="100%" height={120} />}
      {hooks === null && problem !== null && <NotLoaded what="The hooks" problem={problem} retry={retry} />}
      {hooks !== null && (
        <ul className="card rows">
          {hooks.map((hook) => (
            <Program
              key={hook.agent}
              hook={hook}
              onChanged={setChanged}
              onInstall={() => setPlanned(hook.agent)}
            />
          ))}
        </ul>
      )}
      {planned !== null && (
        <InstallDialog agent={planned} onInstalled={setChanged} onClose={() => setPlanned(null)} />
      )}
    </section>
  )
}

/** What shadow mode has found in this workspace, with links to the turns. */
function Shadow({ workspaceId }: { workspaceId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.sessions)
  const { value } = useAnswer((api) => api.sessions.list, { workspace: workspaceId, last: 50 }, freshness)
  const words = value === null ? null : shadowInWords(value.sessions)
  const blocked = value?.sessions.find(({ turns }) => turns.some(({ wouldBlock }) => wouldBlock))
  return words === null ? null : (
    <p>
      {sentence(words)}.{' '}
      {blocked !== undefined && (
        <a href={routeTo(workspaceId, 'session', blocked.sessionId)}>View the latest</a>
      )}
    </p>
  )
}

function Program({
  hook: { agent, state, mode, lastCallAt, because, path },
  onChanged,
  onInstall,
}: {
  hook: Hook
  onChanged: (hooks: readonly Hook[]) => void
  onInstall: () => void
}) {
  const api = useApp((store) => store.api)
  const { busy, problem, submit } = useSubmit()
  const name = SESSION_AGENT_NAMES[agent]
  const isAbsent = state === 'absent'
  const choose = (chosen: SessionMode) =>
    void submit(async () => onChanged((await api.hooks.mode({ agent, mode: chosen })).agents))
  const uninstall = () => void submit(async () => onChanged((await api.hooks.uninstall({ agent })).agents))
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.glyph} aria-hidden>
        <span className={styles.dot} />
      </span>
      <div className="stack gap-half shrinks breaks">
        <p className={styles.head}>
          <span className="quiet-link strong">{name}</span>
          <span>{HOOK_WORDS[state]}</span>
          {!isAbsent && (
            <span className="measure quiet breaks pretty">
              {lastCallAt === null ? (
                'never called'
              ) : (
                <>
                  last called <RelativeTime at={lastCallAt} />
                </>
              )}
            </span>
          )}
        </p>
        {because !== null && (
          <p dir="auto">
            <Prose text={sentence(because)} />
          </p>
        )}
        {!isAbsent && (
          <p className="measure quiet breaks pretty">
            <MiddleCut text={path} />
          </p>
        )}
        <ProblemNote text={problem} />
      </div>
      <div className={styles.actions}>
        {isAbsent ? (
          <Button acts onClick={onInstall}>
            Install…<VisuallyHidden> the hook in {name}</VisuallyHidden>
          </Button>
        ) : (
          <>
            <label>
              <VisuallyHidden>Mode of {name}</VisuallyHidden>
              <select
                className={styles.select}
                value={mode}
                disabled={busy}
                onChange={({ target }) => choose(target.value === 'gate' ? 'gate' : 'shadow')}
              >
                <option value="shadow">shadow</option>
                <option value="gate">gate</option>
              </select>
            </label>
            <Button acts look="quiet" aria-disabled={busy} onClick={uninstall}>
              Uninstall<VisuallyHidden> the hook from {name}</VisuallyHidden>
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

/** Shows the change to the program's own file before it is made. */
function InstallDialog({
  agent,
  onInstalled,
  onClose,
}: {
  agent: HookedAgent
  onInstalled: (hooks: readonly Hook[]) => void
  onClose: () => void
}) {
  const api = useApp((state) => state.api)
  const { value, problem: unplanned, retry } = useAnswer((api) => api.hooks.plan, { agent })
  const { busy, problem, submit } = useSubmit()
  const install = () =>
    void submit(async () => {
      onInstalled((await api.hooks.install({ agent })).agents)
      onClose()
    })
  return (
    <Dialog title={`Install the hook in ${SESSION_AGENT_NAMES[agent]}`} onClose={onClose}>
      <div className="stack gap-3">
        {value === null && unplanned === null && <Skeleton width="100%" height={120} />}
        {unplanned !== null && <NotLoaded what="The change" problem={unplanned} retry={retry} />}
        {value !== null && (
          <>
            <p>
              This is changed in <code>{value.path}</code>, and every other byte is kept. Uninstalling
              restores it.
            </p>
            {value.patch === null || value.patch === '' ? (
              <p className="measure quiet breaks pretty">It is already installed.</p>
            ) : (
              <PatchView patch={value.patch} label={`Difference of ${value.path}`} />
            )}
          </>
        )}
        <ProblemNote text={problem} />
        <div className={styles.actions}>
          <Button look="primary" acts aria-disabled={busy || value === null} onClick={install}>
            Install in shadow mode
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
