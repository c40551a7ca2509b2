import type { ProposalItem } from '../../core/contract/proposal-items.ts'

/** Returns the differences between two texts of the configuration, setting by setting; a single item if only comments or layout differ. */
export function settingItems(
  before: string,
  after: string,
  settingsOf: (text: string) => ReadonlyMap<string, string> | null,
): readonly ProposalItem[] {
  if (before === after) return []
  const was = settingsOf(before)
  const is = settingsOf(after)
  if (was === null || is === null) return [unreadable(is === null)]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  const say = (settings: ReadonlyMap<string, string>, name: string) =>
    settings.has(name) ? `${name} = ${settings.get(name) ?? ''}` : null
  const items = names.flatMap((name): ProposalItem[] =>
    was.get(name) === is.get(name)
      ? []
      : [{ kind: 'setting', taskId: null, before: say(was, name), after: say(is, name) }],
  )
  return items.length > 0 ? items : [LAYOUT]
}

const LAYOUT: ProposalItem = {
  kind: 'note_changed',
  taskId: null,
  before: 'comments and layout of pulseward.toml',
  after: 'other comments or another layout; every setting is the same',
}

/** Returns an item that is `null` on the side where the text is not valid TOML. */
function unreadable(isNow: boolean): ProposalItem {
  const text = 'pulseward.toml'
  return { kind: 'unreadable', taskId: null, before: isNow ? text : null, after: isNow ? null : text }
}
