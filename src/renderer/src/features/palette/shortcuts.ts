/** Related shortcuts; `keys` are pressed together, as written on this platform. */
export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly { readonly keys: readonly string[]; readonly what: string }[]
}

/** Returns the shortcuts of the page, and those of the application menu if there is one. */
export function shortcutGroups({
  isMac,
  isDesktop,
}: {
  readonly isMac: boolean
  readonly isDesktop: boolean
}): ShortcutGroup[] {
  const mod = isMac ? '⌘' : 'Ctrl'
  const shift = isMac ? '⇧' : 'Shift'
  const everywhere = [
    { keys: [mod, 'K'], what: 'Find anything' },
    { keys: ['?'], what: 'This list' },
    { keys: ['F1'], what: 'Documentation' },
    { keys: isMac ? [mod, '['] : ['Alt', '←'], what: 'Back' },
    { keys: isMac ? [mod, ']'] : ['Alt', '→'], what: 'Forward' },
    { keys: ['Esc'], what: 'Close what is open' },
    { keys: [mod, 'Z'], what: 'Undo the last message’s action' },
  ]
  const page = {
    title: 'Rows and attempts',
    shortcuts: [
      { keys: ['J'], what: 'Next row' },
      { keys: ['K'], what: 'Previous row' },
      { keys: ['Enter'], what: 'Open or close the attempt' },
      { keys: ['+'], what: 'Thumbs up for the attempt' },
      { keys: ['−'], what: 'Thumbs down for the attempt' },
    ],
  }
  if (!isDesktop) return [{ title: 'Everywhere', shortcuts: everywhere }, page]
  return [
    { title: 'Everywhere', shortcuts: everywhere },
    page,
    {
      title: 'Go to',
      shortcuts: [
        { keys: [mod, shift, 'O'], what: 'Overview' },
        ...['Today', 'Contract', 'Timeline', 'Blocked', 'Agent', 'Setup'].map((what, index) => ({
          keys: [mod, String(index + 1)],
          what,
        })),
        { keys: [mod, ','], what: 'Settings' },
      ],
    },
    {
      title: 'Workspace and window',
      shortcuts: [
        { keys: [mod, 'R'], what: 'Run now' },
        { keys: [mod, shift, 'S'], what: 'Stop now' },
        { keys: [mod, shift, 'P'], what: 'Pause' },
        { keys: [mod, shift, 'U'], what: 'Resume' },
        { keys: [mod, 'N'], what: 'Set up a folder' },
        { keys: [mod, shift, 'N'], what: 'New window' },
        { keys: [mod, '+'], what: 'Zoom in' },
        { keys: [mod, '−'], what: 'Zoom out' },
        { keys: [mod, '0'], what: 'Actual size' },
      ],
    },
  ]
}

/** Returns the keys for a palette command; empty if it has none. */
export function keysOfCommand(
  name: string,
  machine: { readonly isMac: boolean; readonly isDesktop: boolean },
): readonly string[] {
  const what = WORDS_OF_COMMANDS[name]
  if (what === undefined) return []
  const all = shortcutGroups(machine).flatMap(({ shortcuts }) => shortcuts)
  return all.find((shortcut) => shortcut.what === what)?.keys ?? []
}

const WORDS_OF_COMMANDS: Readonly<Record<string, string>> = {
  run: 'Run now',
  stop: 'Stop now',
  pause: 'Pause',
  resume: 'Resume',
  overview: 'Overview',
  settings: 'Settings',
  setup: 'Set up a folder',
  keys: 'This list',
  help: 'Documentation',
  today: 'Today',
  contract: 'Contract',
  timeline: 'Timeline',
  blocked: 'Blocked',
  agent: 'Agent',
}
