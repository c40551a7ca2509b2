import { ChevronDown, Pause, Play, Square } from 'lucide-react'
import { isFolderMissing } from '../../../../core/read-model/notice.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { isoWithOffset } from '../../format/moments.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../ui/menu.tsx'
import { MiddleCut } from '../../ui/middle-cut.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { ProfileLine } from '../profile/profile-line.tsx'
import { WorkspaceMenu } from '../workspace-menu/workspace-menu.tsx'
import { NextHeartbeat } from './next-heartbeat.tsx'
import styles from './workspace.module.css'

/** The name of the workspace, when its next heartbeat comes and why, and the two actions for that. */
export function WorkspaceHeader({
  workspace,
  runLook,
}: {
  workspace: WorkspaceDetail
  /** `plain` if the screen below has a more likely action. */
  runLook: 'primary' | 'plain'
}) {
  const { id, name, path, agentId } = workspace
  return (
    <header className={styles.header}>
      <div className={styles.identity}>
        <h1 className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </h1>
        <p className={styles.path} title={path}>
          <MiddleCut text={path} />
        </p>
        {agentId !== null && <ProfileLine workspace={workspace} agentId={agentId} />}
      </div>
      <div className={styles.controls}>
        <NextHeartbeat workspace={workspace} />
        <div className={styles.buttons}>
          {areAllBlocked(workspace) && (
            <Button look={runLook} onClick={() => navigate(routeTo(id, 'blocked'))}>
              Review blocked
            </Button>
          )}
          {workspace.running === null ? (
            <RunNow workspace={workspace} look={areAllBlocked(workspace) ? 'plain' : runLook} />
          ) : (
            <StopNow id={id} />
          )}
          {workspace.paused === null ? (
            <PauseMenu id={id} running={workspace.running !== null} />
          ) : (
            <Resume id={id} />
          )}
          <WorkspaceMenu workspace={workspace} />
        </div>
      </div>
    </header>
  )
}

/** Whether nothing would run, because every task has used up its attempts. */
function areAllBlocked({ tasks, running }: WorkspaceDetail): boolean {
  return running === null && tasks.length > 0 && tasks.every(({ blocked }) => blocked)
}

function RunNow({ workspace, look }: { workspace: WorkspaceDetail; look: 'primary' | 'plain' }) {
  const runNow = useApp((state) => state.runNow)
  const hindrance = hindranceToRun(workspace)
  return (
    <Tooltip text={hindrance ?? 'Runs the agent on every open task, then checks its claims.'}>
      <Button
        acts
        look={look}
        aria-disabled={hindrance !== null}
        onClick={() => hindrance === null && void runNow(workspace.id)}
      >
        Run now
      </Button>
    </Tooltip>
  )
}

function hindranceToRun({ trust, suspended, notices }: WorkspaceDetail): string | null {
  if (isFolderMissing(notices)) return 'The folder is missing.'
  if (trust === 'unapproved') return 'Approve the commands first.'
  if (trust === 'missing') return 'There is no pulseward.toml yet.'
  if (suspended !== null) return 'Suspended for review: resume first.'
  return null
}

function StopNow({ id }: { id: string }) {
  const stopNow = useApp((state) => state.stopNow)
  return (
    <Tooltip text="Ends the agent and this heartbeat now. Nothing is scored; the task runs again at the next heartbeat.">
      <Button acts onClick={() => void stopNow(id)}>
        <Square size={12} aria-hidden /> Stop now
      </Button>
    </Tooltip>
  )
}

function PauseMenu({ id, running }: { id: string; running: boolean }) {
  const pause = useApp((state) => state.pause)
  const stopNow = useApp((state) => state.stopNow)
  const hour = () => isoWithOffset(Date.now() + 3_600_000)
  return (
    <Menu
      trigger={
        <Button acts>
          <Pause size={14} aria-hidden /> Pause <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => void pause(id, hour())}>For an hour</MenuItem>
      <MenuItem onSelect={() => void pause(id, 'tomorrow')}>Until tomorrow</MenuItem>
      <MenuItem onSelect={() => void pause(id, null)}>Until I resume</MenuItem>
      {running && (
        <>
          <MenuSeparator />
          <MenuNote>The running heartbeat finishes first.</MenuNote>
          <MenuItem onSelect={() => void pause(id, null).then(() => stopNow(id))}>
            Stop now and pause until I resume
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function Resume({ id }: { id: string }) {
  const resume = useApp((state) => state.resume)
  return (
    <Button acts onClick={() => void resume(id)}>
      <Play size={14} aria-hidden /> Resume
    </Button>
  )
}
