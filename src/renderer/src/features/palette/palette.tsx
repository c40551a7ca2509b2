import { defaultFilter, Command as Menu } from 'cmdk'
import { Search } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { navigate } from '../../route/use-route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Shield } from '../../ui/shield.tsx'
import { useModal } from '../../ui/use-modal.ts'
import { useDecide } from '../decisions/use-decide.ts'
import { useWorkspaceActions } from '../workspace-menu/use-workspace-actions.ts'
import { type Command, GROUPS, type Group } from './command.ts'
import { paletteCommands } from './commands.ts'
import styles from './palette.module.css'
import { rankCommands } from './rank.ts'
import { recentIds, rememberRecent } from './recent.ts'
import { keysOfCommand } from './shortcuts.ts'
import type { Ahead } from './typed-ahead.tsx'
import { isMac } from './use-global-keys.ts'

/** How many recent commands are offered before anything is typed. */
const SHOWN_RECENT = 6

interface PaletteProps {
  /** Keys pressed before it was loaded. */
  readonly ahead: RefObject<Ahead>
  readonly onClose: () => void
  readonly onAddFolder: () => void
  readonly onKeys: () => void
  readonly onRename: (workspace: Workspace) => void
}

/** Finds everything: type, choose with the arrows, Enter. Escape closes. */
export function Palette(props: PaletteProps) {
  const dialog = useModal()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, and so does Escape (`cancel`)
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Find anything"
      onCancel={props.onClose}
      onClick={(event) => event.target === dialog.current && props.onClose()}
    >
      <Finder {...props} />
    </dialog>
  )
}

function Finder({ ahead, onClose, onAddFolder, onKeys, onRename }: PaletteProps) {
  const commands = useCommands()
  const recent = useMemo(recentIds, [])
  const [search, setSearch] = useState(() => ahead.current.text)
  const act = useAct({ onAddFolder, onKeys, onRename })
  const choose = (command: Command): void => {
    rememberRecent(command.id)
    onClose()
    act(command)
  }
  const isSearched = search.trim() !== ''
  const found = isSearched ? rankCommands(commands, search, recent, defaultFilter) : []
  const groups = isSearched
    ? []
    : GROUPS.map((group) => ({ group, commands: commandsOf(group, commands, recent) }))
  const [first] = isSearched ? found : groups.flatMap((each) => each.commands)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the Enter that came before it was there
  useEffect(() => {
    if (ahead.current.isEntered && first !== undefined) choose(first)
  }, [])
  return (
    // Filtered and sorted here, because the library does not sort its groups.
    <Menu label="Find anything" loop vimBindings={false} shouldFilter={false}>
      <div className={styles.field}>
        <Search size={16} aria-hidden />
        <Menu.Input
          className={styles.input}
          placeholder="Workspace, task, screen or action"
          value={search}
          onValueChange={setSearch}
        />
      </div>
      <Menu.List className={styles.list} label="Found">
        {isSearched ? (
          <Found commands={found} onChoose={choose} />
        ) : (
          groups.map((each) => <CommandGroup key={each.group} {...each} onChoose={choose} />)
        )}
      </Menu.List>
    </Menu>
  )
}

function Found({
  commands,
  onChoose,
}: {
  commands: readonly Command[]
  onChoose: (command: Command) => void
}) {
  if (commands.length === 0)
    return (
      <p role="presentation" className={styles.empty}>
        Nothing found. Try fewer words.
      </p>
    )
  return commands.map((command) => <CommandItem key={command.id} command={command} onChoose={onChoose} />)
}

function CommandGroup({
  group,
  commands,
  onChoose,
}: {
  group: Group
  commands: readonly Command[]
  onChoose: (command: Command) => void
}) {
  if (commands.length === 0) return null
  return (
    <Menu.Group heading={group} className={styles.group}>
      {commands.map((command) => (
        <CommandItem key={command.id} command={command} onChoose={onChoose} />
      ))}
    </Menu.Group>
  )
}

function CommandItem({ command, onChoose }: { command: Command; onChoose: (command: Command) => void }) {
  return (
    <Menu.Item className={styles.item} value={command.id} onSelect={() => onChoose(command)}>
      {command.shield !== undefined && (
        <span className={styles.shield}>
          <Shield level={command.shield} unreviewed={command.unreviewed ?? 0} size={16} />
        </span>
      )}
      <bdi className={styles.label}>{command.label}</bdi>
      {command.hint !== '' && <bdi className={styles.hint}>{command.hint}</bdi>}
      {command.keys !== undefined && command.keys.length > 0 && (
        <kbd className="tiny faint nowrap">{command.keys.join(' ')}</kbd>
      )}
    </Menu.Item>
  )
}

/** Returns a group's commands. Each command is in only one group; recent ones are under recent. */
function commandsOf(
  group: Group,
  commands: readonly Command[],
  recent: readonly string[],
): readonly Command[] {
  const found = recent.flatMap((id) => commands.find((command) => command.id === id) ?? [])
  const newest = found.slice(0, SHOWN_RECENT)
  if (group === 'Recent') return newest
  return commands.filter(
    (command) => command.group === group && command.isQuiet !== true && !newest.includes(command),
  )
}

function keysOf(name: string): readonly string[] {
  return keysOfCommand(name, { isMac: isMac(), isDesktop: navigator.userAgent.includes('Electron/') })
}

function useCommands(): readonly Command[] {
  const workspaces = useApp((state) => state.workspaces)
  const shown = useApp((state) => (state.watchedId === null ? undefined : state.details[state.watchedId]))
  const fleet = useApp((state) => state.isCentre)
  const { value: found } = useAnswer((api) => api.tasks.found, undefined)
  const { value: capabilities } = useAnswer((api) => api.desktop.capabilities, undefined)
  const files = capabilities?.openPath === true
  return useMemo(
    () => paletteCommands(workspaces, shown, Date.now(), found ?? [], { files, fleet, keys: keysOf }),
    [workspaces, shown, found, files, fleet],
  )
}

function useAct({
  onAddFolder,
  onKeys,
  onRename,
}: Omit<PaletteProps, 'onClose' | 'ahead'>): (command: Command) => void {
  const runNow = useApp((state) => state.runNow)
  const stopNow = useApp((state) => state.stopNow)
  const pause = useApp((state) => state.pause)
  const resume = useApp((state) => state.resume)
  const refresh = useApp((state) => state.refresh)
  const setTheme = useApp((state) => state.setTheme)
  const deeds = useWorkspaceActions()
  const { deed } = useDecide()
  return ({ act }) => {
    switch (act.kind) {
      case 'go':
        return navigate(act.address)
      case 'run':
        return void runNow(act.workspace)
      case 'stop':
        return void stopNow(act.workspace)
      case 'resume':
        return void resume(act.workspace)
      case 'pause':
        return void pause(act.workspace, act.until)
      case 'decide':
        return void deed(act.need, act.deed)
      case 'rename':
        return onRename(act.workspace)
      case 'add-folder':
        return onAddFolder()
      case 'keys':
        return onKeys()
      case 'theme':
        return void setTheme(act.theme)
      case 'refresh':
        return void refresh()
      case 'openFolder':
      case 'openInEditor':
      case 'copyPath':
      case 'exportRecord':
      case 'remove':
        return void deeds[act.kind](act.workspace)
    }
  }
}
