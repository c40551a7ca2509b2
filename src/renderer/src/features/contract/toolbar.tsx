import { Redo2, Undo2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './contract.module.css'
import type { ContractSession } from './session/contract-session.ts'
import type { SessionState } from './session/session-state.ts'

/** Shows whether the text differs from the file, with the buttons for that. */
export function Toolbar({ session, state }: { session: ContractSession; state: SessionState }) {
  const { isDirty, canUndo, canRedo, saving, isReadOnly } = state
  return (
    <div className={styles.toolbar}>
      <p className="row">
        <code>HEARTBEAT.md</code>
        <span role="status" className={styles.saved} data-dirty={isDirty}>
          {isReadOnly ? 'Read only' : isDirty ? 'Unsaved changes' : 'Saved'}
        </span>
      </p>
      <div className="row">
        <Tooltip text="Undo the last change, in the text or in the form (Ctrl-Z)">
          <Button look="icon" aria-label="Undo" aria-disabled={!canUndo} onClick={() => session.undo()}>
            <Undo2 size={16} aria-hidden />
          </Button>
        </Tooltip>
        <Tooltip text="Redo (Ctrl-Shift-Z)">
          <Button look="icon" aria-label="Redo" aria-disabled={!canRedo} onClick={() => session.redo()}>
            <Redo2 size={16} aria-hidden />
          </Button>
        </Tooltip>
        {isDirty && !isReadOnly && (
          <Button look="quiet" onClick={() => session.discard()}>
            Discard changes
          </Button>
        )}
        <Tooltip text={hindrance(state) ?? 'Writes the file (Ctrl-S). It counts from the next heartbeat on.'}>
          <Button
            acts
            look="primary"
            aria-disabled={hindrance(state) !== null}
            onClick={() => void session.save()}
          >
            {saving ? 'Saving…' : 'Save'}
          </Button>
        </Tooltip>
      </div>
    </div>
  )
}

function hindrance({ isDirty, conflict, saving, isReadOnly }: SessionState): string | null {
  if (isReadOnly) return 'The file is not UTF-8: saving it from here would lose bytes.'
  if (conflict !== null) return 'The file has changed on disk: choose below which version to keep.'
  if (saving) return 'It is being written.'
  return isDirty ? null : 'Nothing has changed.'
}
