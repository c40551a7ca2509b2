import { dayReport } from '../../core/read-model/day-report.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'
import { workspaceView } from './workspace-views.ts'

/** Tells once what a finished day of a workspace came to. */
export function reportDay(runtime: WorkspaceRuntime, notifier: Notifier): void {
  const { id, name, ledger } = runtime
  const report = dayReport(ledger.state, workspaceView(runtime).needs.length)
  if (report === null) return
  notifier.notify({
    key: `report:${id}:${ledger.state.score.history[0]?.date}`,
    about: 'report',
    workspaceId: id,
    title: `${name}: the day`,
    body: report,
  })
}
