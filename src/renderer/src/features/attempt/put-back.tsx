import { useState } from 'react'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import styles from './attempt-panel.module.css'
import { usePutBack } from './use-put-back.ts'

/** Restores the files that an attempt changed; first lists those that cannot be restored. */
export function PutBack({ workspaceId, detail }: { workspaceId: string; detail: AttemptDetail }) {
  const { putBack, makeAgain } = usePutBack(workspaceId, detail.attemptId)
  const [isBusy, setBusy] = useState(false)
  const { undo } = detail
  if (undo === null || (undo.count === 0 && !undo.isUndone)) return null
  const act = (work: () => Promise<void>) => () => {
    if (isBusy) return
    setBusy(true)
    void work().finally(() => setBusy(false))
  }
  if (undo.isUndone)
    return (
      <p className={styles.overruled}>
        Its files were restored.{' '}
        <Button acts look="quiet" aria-disabled={isBusy} onClick={act(makeAgain)}>
          Redo its changes
        </Button>
      </p>
    )
  const stays = undo.lost.map(({ path, reason }) => `${path} is left unchanged: ${reason}.`)
  const shared =
    undo.with.length === 0 ? [] : [`Includes the changes of ${undo.with.join(', ')}, which shared its run.`]
  const says = [
    'Restores the files as they were before the attempt, untracked files included. Nothing is scored.',
    ...shared,
    ...stays,
  ]
  return (
    <Button acts look="quiet" title={says.join(' ')} aria-disabled={isBusy} onClick={act(putBack)}>
      Restore {counted(undo.count, 'file')}
    </Button>
  )
}
