import type { Instrument } from './instruments.ts'

/*
 * A check that asks git which files exist (`git grep`, `git ls-files`, a linter that reads `.gitignore`) depends on what git was
 * told to leave out: names removed from the index while the file stays, flags on them, ignore rules, and settings.
 */

/** Stands for the names that git tracks, and the flags on them, in the repository at the top of the tree. */
export const GIT_INDEX = '.git/index'

/**
 * All files in git's own data that make git answer something other than what is committed and checked out: settings, ignored
 * names, attributes, sparse checkouts, forged and cut history, objects and refs from elsewhere. They matter if a check asks
 * git. What is not in a single file is disabled for every check (`GIT_OF_CHECKS`); the index is compared entry by entry
 * (`GIT_INDEX`).
 */
export const GIT_RULES: readonly string[] = [
  // In a linked worktree, a file that says where the repository's data is.
  '.git',
  '.git/config',
  '.git/config.worktree',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/info/sparse-checkout',
  '.git/info/grafts',
  '.git/shallow',
  '.git/objects/info/alternates',
  '.git/commondir',
]

/**
 * Environment in which checks run git: objects as they are, without the replacements of `git replace` (for a tree or a commit's parents);
 * history without grafts and without git's cached summary (`commit-graph`); nothing fetched from a promisor remote.
 */
export const GIT_OF_CHECKS = {
  GIT_NO_REPLACE_OBJECTS: '1',
  // A path where no file can exist: for an empty file git prints that grafts are deprecated.
  GIT_GRAFT_FILE: '/dev/null/none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.commitGraph',
  GIT_CONFIG_VALUE_0: 'false',
} as const

/**
 * Environment in which a check asks a remote (`asksRemote`) with the operator's login: nothing that the settings of a repository name is
 * run, because an agent may have made the repository that git finds. Logins are read from git's own file.
 */
export const GIT_ASKING_REMOTE = {
  GIT_ALLOW_PROTOCOL: 'https:http:ssh',
  GIT_SSH_COMMAND: 'ssh',
  GIT_ASKPASS: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_1: 'credential.helper',
  GIT_CONFIG_VALUE_1: '',
  GIT_CONFIG_KEY_2: 'credential.helper',
  GIT_CONFIG_VALUE_2: 'store',
} as const

/**
 * Returns whether a git command only asks a remote, and no repository on this machine. Any other command may run programs of
 * the repository that it finds: `git status` runs the `core.fsmonitor` of one nested in the work.
 */
export function asksRemote([first, ...words]: readonly string[]): boolean {
  return first === 'ls-remote' && !words.some((word) => /^(?:[./~]|file:|--upload-pack|--exec)/.test(word))
}

const RULE_NAMES = /(?:^|\/)\.(?:git(?:ignore|attributes|modules)|ignore|rgignore|fdignore)$/

/** Returns whether a path, relative to the root, is a rule file that git and similar tools read. */
export function isGitRule(path: string): boolean {
  return RULE_NAMES.test(path) || GIT_RULES.includes(path)
}

/** Programs that skip files that git ignores or does not track. */
const ASKING =
  /(?:^|\/)(?:git|rg|ag|fd|fdfind|ruff|black|prettier|biome|oxlint|dprint|taplo|typos|pre-commit|prek|lint-staged|reuse|tokei|cloc|gitleaks)$/

/** Matches `[ -z "$(git status --porcelain)" ]`, because command substitutions inside a shell word are not followed. */
const IN_SHELL = /(?:\$\(|`)\s*git\s/

/**
 * Returns whether checks that execute these files query git, judging by their commands and scripts. `readText` returns a script's text;
 * `null` if there is none.
 */
export function asksGit(
  executes: readonly Pick<Instrument, 'kind' | 'path'>[],
  readText: (path: string) => string | null,
  commands: readonly (readonly string[])[] = [],
): boolean {
  if (commands.some((words) => words.some((word) => IN_SHELL.test(word)))) return true
  return executes.some(({ kind, path }) => {
    if (kind === 'program') return ASKING.test(path)
    return kind === 'script' && /\bgit\b|gitignore/.test(readText(path) ?? '')
  })
}

/** Returns names in the form in which a listing is stored: sorted, one per line. */
export function listingOf(names: Iterable<string>): string {
  return [...names].sort().join('\n')
}

/** Returns the names in a listing. */
export function namesOf(listing: string | null): ReadonlySet<string> {
  return new Set((listing ?? '').split('\n').filter((name) => name !== ''))
}

/** Returns the names that git showed in the base and doesn't show now. The caller must check whether the files still exist. */
export function namesLost(base: string | null, now: string | null): readonly string[] {
  if (base === now) return []
  const known = namesOf(now)
  return [...namesOf(base)].filter((name) => !known.has(name))
}

/**
 * Returns the base after the operator has turned the listing last seen, `expected`, into `now`. Names that an agent removed are still
 * missed.
 */
export function listingAfterOperator(base: string, expected: string | null, now: string): string {
  const was = namesOf(expected)
  const is = namesOf(now)
  const kept = [...namesOf(base)].filter((name) => is.has(name) || !was.has(name))
  return listingOf(new Set([...kept, ...[...is].filter((name) => !was.has(name))]))
}
