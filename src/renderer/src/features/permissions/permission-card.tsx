import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { PermissionRequest } from '../../../../core/read-model/permission.ts'
import { visibleText } from '../../../../core/text/visible-text.ts'
import { CONFIRMATION, type PermissionAnswer } from '../../../../core/vocabulary/permission.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import { AlwaysAllow } from './always-allow.tsx'
import styles from './permissions.module.css'
import { wishInWords } from './request-words.ts'

/** One request: who asks for what, verbatim, how much time is left, and the two answers. */
export function PermissionCard({ request }: { request: PermissionRequest }) {
  const answer = useApp((state) => state.answerPermission)
  const nowMs = useNow()
  const [busy, setBusy] = useState(false)
  const [explains, setExplains] = useState(false)
  const say = async (word: PermissionAnswer) => {
    setBusy(true)
    await answer(request.id, word)
    setBusy(false)
  }
  const { agentId, tool, target, taskId, workspaceName, title, expiresAt } = request
  return (
    <article className={styles.card} aria-label={`${agentId} asks to ${wishInWords(tool)}`}>
      <p className={styles.heading}>
        <KeyRound size={16} aria-hidden />
        <strong>
          {agentId} asks to {wishInWords(tool)}
        </strong>
        <span className="quiet">
          {workspaceName} · {taskId}
        </span>
      </p>
      {title !== '' && title !== target && <p className="quiet breaks">{visibleText(title)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command must be scrollable by keyboard too */}
      <div className={styles.target} tabIndex={0}>
        <pre>{visibleText(target)}</pre>
      </div>
      <div className="row flow">
        <Button acts look="plain" disabled={busy} onClick={() => void say('allowed')}>
          Allow once
        </Button>
        <Button acts look="plain" disabled={busy} onClick={() => void say('denied')}>
          Deny
        </Button>
        {tool !== CONFIRMATION && (
          <Button look="quiet" aria-expanded={explains} onClick={() => setExplains(!explains)}>
            Always…
          </Button>
        )}
        <span className={styles.left}>
          {durationWords(Date.parse(expiresAt) - nowMs)} left, then it is denied
        </span>
      </div>
      {explains && <AlwaysAllow line={request.allowLine} />}
    </article>
  )
}
