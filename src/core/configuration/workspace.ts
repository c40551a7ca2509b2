import { choiceSetting, linesSetting, wholeNumberSetting } from './setting.ts'

/** Where attempts work: `[workspace]`. */
export const WORKSPACE_SETTINGS = {
  isolation: choiceSetting(
    [
      ['none', 'In the folder itself'],
      ['worktree', 'In a tree of its own'],
    ],
    {
      default: 'none',
      label: 'Where an attempt works',
      hint: 'A tree of its own leaves your files alone: only verified work reaches your branch.',
      meaning:
        '`"worktree"`: each attempt works in a [tree of its own](landing.md), and only verified work lands on the target branch',
    },
  ),
  parallel: wholeNumberSetting({
    from: 1,
    to: 32,
    default: 1,
    label: 'Parallel tasks',
    hint: 'Tasks of one heartbeat that run at the same time. Needs a tree for each attempt.',
    meaning:
      'tasks of one heartbeat at the same time; without `isolation = "worktree"` they run one at a time',
  }),
  copy: linesSetting({
    default: [],
    one: 'a path inside the workspace, such as ".env.test"',
    all: 'a list of paths, such as [".env.test"]',
    most: 100,
    noun: 'paths',
    pattern: /^(?![/\\~])(?!(?:.*[/\\])?\.\.(?:[/\\]|$))[^\0\n\\]+$/,
    type: 'list of paths',
    label: 'Ignored files to copy',
    hint: 'Files that git ignores and a tree needs, one a line. The agent can read them.',
    meaning:
      'ignored files that a tree needs, such as `.env.test`; nothing else that is ignored is copied but dependencies',
    defaultWords: 'none',
  }),
  ports: wholeNumberSetting({
    from: 0,
    to: 100,
    default: 0,
    label: 'Ports of a tree',
    hint: 'As PULSEWARD_PORT_1 and so on, for the agent and for checks.',
    meaning: 'ports of each tree: `PULSEWARD_PORT_1` … in the environment of the agent and of checks',
  }),
}
