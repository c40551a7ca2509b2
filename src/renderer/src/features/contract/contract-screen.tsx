import { Suspense } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import styles from './contract.module.css'
import { EditorSkeleton } from './editor-skeleton.tsx'

const ProposalsPanel = lazyNamed(() => import('../decisions/proposals-panel.tsx'), 'ProposalsPanel')
/** Loaded when first shown, because it is larger than the rest of the page. */
const Workbench = lazyNamed(() => import('./workbench.tsx'), 'Workbench')

/** The contract, for editing. */
export function ContractScreen({
  detail,
  taskId,
  line,
}: {
  detail: WorkspaceDetail
  /** The task named in the address. */
  taskId: string | null
  /** The line named in the address, from 1. */
  line: number | null
}) {
  return (
    <section className={styles.view} aria-label="Contract">
      {detail.needs.some(({ kind }) => kind === 'proposal') && (
        <Suspense fallback={null}>
          <ProposalsPanel workspaceId={detail.id} />
        </Suspense>
      )}
      <Suspense fallback={<EditorSkeleton />}>
        <Workbench detail={detail} taskId={taskId} line={line} />
      </Suspense>
    </section>
  )
}
