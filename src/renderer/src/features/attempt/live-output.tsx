import { EMPTY_OUTPUT } from '../../store/output-buffer.ts'
import { useApp } from '../../store/use-app.ts'
import { OutputView } from './output-view.tsx'

/** The agent's live output. */
export function LiveOutput({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const { lines, droppedLines } = useApp((state) => state.outputs[attemptId]) ?? EMPTY_OUTPUT
  const isEmpty = lines.length === 1 && lines[0] === ''
  if (isEmpty) return <p className="faint">Nothing printed yet.</p>
  return <OutputView workspaceId={workspaceId} lines={lines} droppedLines={droppedLines} follows />
}
