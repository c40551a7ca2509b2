import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { useApp } from '../../store/use-app.ts'
import { useSubmit } from '../../ui/use-submit.ts'

/** Approves exactly the configuration that is shown: the host refuses if the file has changed since. */
export function useApprove({ id, trustDetail }: WorkspaceDetail, onApproved: () => void) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { busy, problem, submit } = useSubmit()
  const { hash } = trustDetail
  const approve = () => {
    if (hash === null) return
    void submit(async () => {
      try {
        await api.workspaces.approve({ id, hash })
      } finally {
        // Even after a refusal, to show the current state.
        await refresh()
      }
      onApproved()
    })
  }
  const allowed = hash !== null && trustDetail.problems.length === 0
  return { approve, allowed, busy, problem }
}
