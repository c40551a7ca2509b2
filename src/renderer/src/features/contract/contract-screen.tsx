import { CircleAlert } from 'lucide-react'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyNamed } from '../../ui/lazy-named.ts'
import styles from './contract.module.css'
import { EditorSkeleton } from './editor-skeleton.tsx'

const ProposalsPanel = lazyNamed(() => import('../decisions/proposals-panel.tsx'), 'ProposalsPanel')

interface WorkbenchProps {
  readonly detail: WorkspaceDetail
  /** The task that the address names. */
  readonly taskId: string | null
}

/** The contract to be edited. The editor is fetched when it is first looked at: it is larger than the rest of the page. */
export function ContractScreen(props: WorkbenchProps) {
  const { Workbench, failed, retry } = useWorkbench()
  return (
    <section className={styles.view} aria-label="Contract">
      {props.detail.needs.some(({ kind }) => kind === 'proposal') && (
        <Suspense fallback={null}>
          <ProposalsPanel workspaceId={props.detail.id} />
        </Suspense>
      )}
      {Workbench !== null && <Workbench {...props} />}
      {Workbench === null && failed && (
        <Banner
          tone="problem"
          icon={<CircleAlert size={16} />}
          action={
            <Button look="quiet" onClick={retry}>
              Try again
            </Button>
          }
        >
          <strong>The editor could not be loaded.</strong> Is Pulseward still running?
        </Banner>
      )}
      {Workbench === null && !failed && <EditorSkeleton />}
    </section>
  )
}

function useWorkbench() {
  const [Workbench, setWorkbench] = useState<ComponentType<WorkbenchProps> | null>(null)
  const [failed, setFailed] = useState(false)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: round is what asks for another try
  useEffect(() => {
    let isWanted = true
    setFailed(false)
    import('./workbench.tsx').then(
      (module) => isWanted && setWorkbench(() => module.Workbench),
      () => isWanted && setFailed(true),
    )
    return () => {
      isWanted = false
    }
  }, [round])
  return { Workbench, failed, retry: () => setRound(round + 1) }
}
