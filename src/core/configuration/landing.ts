import { choiceSetting, textSetting, toggleSetting } from './setting.ts'

/** How verified work reaches its branch: `[landing]`. */
export const LANDING_SETTINGS = {
  target: textSetting({
    expected: 'a branch, such as "main" or "origin/main"',
    pattern: /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/,
    maximumLength: 250,
    type: 'branch',
    label: 'Target branch',
    hint: 'Such as main; origin/main pushes to the remote.',
    meaning: 'the branch that work lands on: `"main"` moves the local branch, `"origin/main"` pushes',
    defaultWords: 'the branch that was checked out when the folder was added',
  }),
  mode: choiceSetting(
    [
      ['ask', 'Ask me'],
      ['auto', 'Automatically'],
      ['branch', 'A branch for each attempt'],
      ['pull-request', 'A pull request for each task'],
    ],
    {
      default: 'ask',
      label: 'Verified work lands',
      meaning: 'who lands verified work: you, the queue, or the person who merges the branch or pull request',
    },
  ),
  commit: choiceSetting([['task', 'One commit per task']], {
    default: 'task',
    meaning: 'one commit per task',
  }),
  forge: choiceSetting(
    [
      ['github', 'GitHub'],
      ['gitlab', 'GitLab'],
      ['forgejo', 'Forgejo, Gitea'],
    ],
    {
      label: 'Forge',
      unset: 'None',
      meaning: 'where commit statuses and pull requests go',
      defaultWords: 'none',
    },
  ),
  url: textSetting({
    expected: 'the base address of the forge’s API, such as "https://git.example.com/api/v1"',
    pattern: /^https?:\/\/[^\s\0@]+$/,
    maximumLength: 2000,
    type: 'address',
    label: 'API address',
    meaning:
      'base address of the forge’s API, for a self-hosted forge; owner and repository come from the remote',
    defaultWords: 'the public one of the forge',
  }),
  token_env: textSetting({
    expected: 'the name of an environment variable (letters, digits and "_")',
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maximumLength: 200,
    type: 'name of a variable',
    label: 'Variable with the token',
    meaning: 'the environment variable of Pulseward that holds the forge’s token; the agent never gets it',
    defaultWords: '`GITHUB_TOKEN`, `GITLAB_TOKEN` or `FORGEJO_TOKEN`',
  }),
  attest: toggleSetting({
    default: false,
    label: 'Sign verdicts',
    hint: 'In the note of each commit, for others to check.',
    meaning:
      'signs each verdict about the checked-out commit, and all work that lands as it was judged, in the [note](attestations.md#notes) of the commit',
  }),
}

/** The default variable with a forge's token. */
const DEFAULT_TOKEN_ENV = {
  github: 'GITHUB_TOKEN',
  gitlab: 'GITLAB_TOKEN',
  forgejo: 'FORGEJO_TOKEN',
} as const

/** Returns the variable that holds the forge's token; `null` if no forge is configured. */
export function tokenVariable({
  forge,
  tokenEnv,
}: {
  readonly forge: keyof typeof DEFAULT_TOKEN_ENV | null
  readonly tokenEnv: string | null
}): string | null {
  return tokenEnv ?? (forge === null ? null : DEFAULT_TOKEN_ENV[forge])
}
