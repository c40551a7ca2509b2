import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Approval } from './trust-panel.tsx'
import { TrustReview } from './trust-review.tsx'
import { useApprove } from './use-approve.ts'

/** A changed configuration, next to the approved one that is still in effect. */
export function TrustDialog({ detail, onClose }: { detail: WorkspaceDetail; onClose: () => void }) {
  const { approve, allowed, busy, problem } = useApprove(detail, onClose)
  return (
    <Dialog title="Approve the changed configuration?" onClose={onClose}>
      <TrustReview workspaceId={detail.id} trust={detail.trustDetail} />
      <Approval busy={busy} problem={problem} allowed={allowed} onApprove={approve} />
    </Dialog>
  )
}
