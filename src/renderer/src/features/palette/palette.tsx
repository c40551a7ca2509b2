import { defaultFilter, Command as Menu } from 'cmdk'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { type Command, GROUPS, type Group, paletteCommands } from './commands.ts'
import styles from './palette.module.css'
import { recentIds, rememberRecent } from './recent.ts'

/** Offered before anything is typed. */
const SHOWN_RECENT = 6
/** How much more likely it is that one is meant again. */
const RECENT_WEIGHT = 0.25
const KEYWORD_MATCH = 0.2

interface PaletteProps {
  readonly onClose: () => void
  readonly onAddFolder: () => void
  readonly onKeys: () => void
}

/** Finds everything: type, choose with the arrows, Enter. Escape closes. */
export function Palette(props: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // By itself it would focus the list around the field.
    element?.querySelector('input')?.focus()
    return () => element?.close()
  }, [])
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

function Finder({ onClose, onAddFolder, onKeys }: PaletteProps) {
  const commands = useCommands()
  const recent = useMemo(recentIds, [])
  const act = useAct(onAddFolder, onKeys)
  const choose = (command: Command): void => {
    rememberRecent(command.id)
    onClose()
    act(command)
  }
  return (
    <Menu
      label="Find anything"
      loop
      vimBindings={false}
      filter={(id, search, [label = '', ...keywords] = []) => {
        const match = matchOf(search, label, keywords)
        const place = recent.indexOf(id)
        return match === 0 || place < 0 ? match : match + RECENT_WEIGHT / (place + 1)
      }}
    >
      <div className={styles.field}>
        <Search size={16} aria-hidden />
        <Menu.Input className={styles.input} placeholder="Workspace, task, screen or action" />
      </div>
      <Menu.List className={styles.list} label="Found">
        <Menu.Empty className={styles.empty}>Nothing is called that.</Menu.Empty>
        {GROUPS.map((group) => (
          <CommandGroup
            key={group}
            group={group}
            commands={commandsOf(group, commands, recent)}
            onChoose={choose}
          />
        ))}
      </Menu.List>
    </Menu>
  )
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
        <Menu.Item
          key={command.id}
          className={styles.item}
          value={command.id}
          keywords={[command.label, ...command.keywords]}
          onSelect={() => onChoose(command)}
        >
          <bdi className={styles.label}>{command.label}</bdi>
          {command.hint !== '' && <bdi className={styles.hint}>{command.hint}</bdi>}
        </Menu.Item>
      ))}
    </Menu.Group>
  )
}

/** From 0 (not at all) to 1: by letters of the label in their order, or by a whole piece of a keyword. */
function matchOf(search: string, label: string, keywords: readonly string[]): number {
  const byLabel = defaultFilter(label, search)
  if (byLabel > KEYWORD_MATCH) return byLabel
  const wanted = search.trim().toLowerCase()
  return keywords.some((keyword) => keyword.toLowerCase().includes(wanted)) ? KEYWORD_MATCH : byLabel
}

/** One stands in one group alone: a recent one with the recent. */
function commandsOf(
  group: Group,
  commands: readonly Command[],
  recent: readonly string[],
): readonly Command[] {
  const found = recent.flatMap((id) => commands.find((command) => command.id === id) ?? [])
  const newest = found.slice(0, SHOWN_RECENT)
  if (group === 'Recent') return newest
  return commands.filter((command) => command.group === group && !newest.includes(command))
}

function useCommands(): readonly Command[] {
  const workspaces = useApp((state) => state.workspaces)
  const shown = useApp((state) => (state.watchedId === null ? undefined : state.details[state.watchedId]))
  return useMemo(() => paletteCommands(workspaces, shown, Date.now()), [workspaces, shown])
}

function useAct(onAddFolder: () => void, onKeys: () => void): (command: Command) => void {
  const runNow = useApp((state) => state.runNow)
  const pause = useApp((state) => state.pause)
  const resume = useApp((state) => state.resume)
  return ({ act }) => {
    switch (act.kind) {
      case 'go':
        return navigate(act.address)
      case 'run':
        return void runNow(act.workspace)
      case 'resume':
        return void resume(act.workspace)
      case 'pause':
        return void pause(act.workspace, act.until)
      case 'add-folder':
        return onAddFolder()
      case 'keys':
        return onKeys()
    }
  }
}
