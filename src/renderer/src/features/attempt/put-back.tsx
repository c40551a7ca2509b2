import { useState } from 'react'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import styles from './attempt-panel.module.css'
import { usePutBack } from './use-put-back.ts'

/** Takes the changes of an attempt out of the folder; what cannot be put back is named before. */
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
        Its changes were put back.{' '}
        <Button acts look="quiet" aria-disabled={isBusy} onClick={act(makeAgain)}>
          Make them again
        </Button>
      </p>
    )
  const stays = undo.lost.map(({ path, reason }) => `${path} stays: ${reason}.`)
  const shared = undo.with.length === 0 ? [] : [`With those of ${undo.with.join(', ')}, which ran with it.`]
  const says = ['As before the attempt, untracked files included. Nobody is scored.', ...shared, ...stays]
  return (
    <Button acts look="quiet" title={says.join(' ')} aria-disabled={isBusy} onClick={act(putBack)}>
      Put {counted(undo.count, 'file')} back
    </Button>
  )
}
