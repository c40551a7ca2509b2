import type { Configuration } from '../../../../api/schemas/configuration.ts'
import type { Trust } from '../../../../core/read-model/trust.ts'
import { visibleText } from '../../../../core/text/visible-text.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './trust.module.css'

/**
 * What each check executes, which is pinned, and what it only reads, which can be protected from agents. Shows nothing if there are no
 * checks.
 */
export function ChecksList({ workspaceId, checks }: { workspaceId: string; checks: Trust['checks'] }) {
  const { protect, isProtected, busy, problem } = useProtect(workspaceId)
  if (checks.length === 0) return null
  return (
    <section aria-label="What checks execute">
      <h3 className={styles.heading}>What the checks execute and read</h3>
      <p className={styles.lead}>
        If what is executed changes, it needs your approval again. Files that are only read are measured: an
        agent may change them unless they are protected.
      </p>
      <ul className="card small divided">
        {checks.map(({ check, command, executes, reads, unresolved }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same gate may stand there twice
          <li key={index} className={styles.command}>
            <span className="quiet breaks">{visibleText(check)}</span>
            <div className="stack gap-1 small breaks">
              {command.length > 0 && <code className={styles.line}>{visibleText(command.join(' '))}</code>}
              {executes.length > 0 && (
                <p>
                  executes <Paths paths={executes} />
                </p>
              )}
              {reads.map((path) => (
                <p key={path} className="row flow">
                  <span>
                    only reads <code>{visibleText(path)}</code>
                  </span>
                  {isProtected(path) ? (
                    <span className={styles.protected}>protected</span>
                  ) : (
                    <Button look="quiet" aria-disabled={busy} onClick={() => void protect(path)}>
                      Protect<VisuallyHidden> {visibleText(path)}</VisuallyHidden>
                    </Button>
                  )}
                </p>
              ))}
              {unresolved.map((what) => (
                <p key={what} className={styles.unresolved}>
                  Not followed: {visibleText(what)}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <ProblemNote text={problem} />
    </section>
  )
}

function Paths({ paths }: { paths: readonly string[] }) {
  return paths.map((path, index) => (
    <span key={path}>
      {index > 0 && ', '}
      <code>{visibleText(path)}</code>
    </span>
  ))
}

const SETTING = ['interventions', 'protected'] as const

/** Adds a file to `protected` in the workspace's configuration, and approves the change if the configuration was approved. */
function useProtect(workspaceId: string) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const showToast = useApp((state) => state.showToast)
  // If it is approved at once, only the configuration changes; if it awaits approval, the trust does.
  const freshness = useApp(({ details: { [workspaceId]: detail } }) =>
    detail === undefined ? '' : `${detail.marks.configuration} ${JSON.stringify(detail.trustDetail)}`,
  )
  const { value } = useAnswer((api) => api.configuration.get, { workspace: workspaceId }, freshness)
  const { busy, problem, submit } = useSubmit()
  const protect = (path: string) =>
    submit(async () => {
      const before = await api.configuration.get({ workspace: workspaceId })
      const edited = await api.configuration.check({
        workspace: workspaceId,
        text: before.text,
        edits: [{ path: [...SETTING], value: [...new Set([...listed(before), path])] }],
      })
      const wrong = edited.refusal ?? edited.problems[0]?.message
      if (wrong !== undefined) throw new Error(wrong)
      const approve = before.trust.state === 'approved'
      await api.configuration.put({ workspace: workspaceId, text: edited.text, hash: before.hash, approve })
      showToast({
        tone: 'plain',
        text: `${path} ${approve ? 'is now protected' : 'was added to protected'}.`,
        undo: null,
      })
      await refresh()
    })
  const isProtected = (path: string) => listed(value).includes(path)
  return { protect, isProtected, busy, problem }
}

/** Returns what the configuration lists under `protected`; only the host knows what else its globs match. */
function listed(configuration: Configuration | null): readonly string[] {
  const name = SETTING.join('.')
  const now = configuration?.values[name] ?? configuration?.defaults[name]
  return Array.isArray(now) ? now.map(String) : ['default']
}
