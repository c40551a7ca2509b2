import { CircleAlert } from 'lucide-react'
import type { Problem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './workspace.module.css'

/** Shown instead of a workspace that could not be fetched. */
export function DetailProblem({ problem }: { problem: Problem }) {
  const refresh = useApp((state) => state.refresh)
  return (
    <div className={styles.screen} role="alert">
      <Banner
        tone="problem"
        icon={<CircleAlert size={16} />}
        action={
          <Button look="quiet" onClick={() => void refresh()}>
            Try again
          </Button>
        }
      >
        <strong>This workspace could not be loaded.</strong> {problem.message}
      </Banner>
    </div>
  )
}
