import type { Instrument } from './instruments.ts'

/*
 * A check that asks git which files exist (`git grep`, `git ls-files`, a linter that reads `.gitignore`) depends on what git was
 * told to leave out: names removed from the index while the file stays, flags on them, ignore rules, and settings.
 */

/** Stands for the names that git tracks and looks at, of the repository whose top is the tree's. */
export const GIT_INDEX = '.git/index'

/**
 * The one list of files in git's own data by which git answers otherwise than by what is committed and laid out: settings, ignored names,
 * attributes, what is checked out, forged and cut history, objects and refs from elsewhere. They count where a check asks git. What has
 * no one file is set aside for every check (`GIT_OF_CHECKS`); what git notes in its index is looked at entry by entry (`GIT_INDEX`).
 */
export const GIT_RULES: readonly string[] = [
  // Of a work tree beside the repository's own: a file that says where its data lie.
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
 * How git is asked by checks: objects as they are and not what `git replace` puts in their place (for a tree, a commit's parents), history
 * without grafts and without the summary of it that git keeps (`commit-graph`), and nothing fetched from a promised place.
 */
export const GIT_OF_CHECKS = {
  GIT_NO_REPLACE_OBJECTS: '1',
  // No file can be there: of an empty one git says that grafts are deprecated.
  GIT_GRAFT_FILE: '/dev/null/none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.commitGraph',
  GIT_CONFIG_VALUE_0: 'false',
} as const

const RULE_NAMES = /(?:^|\/)\.(?:git(?:ignore|attributes|modules)|ignore|rgignore|fdignore)$/

/** Returns whether a path, relative to the root, is a rule file that git and similar tools read. */
export function isGitRule(path: string): boolean {
  return RULE_NAMES.test(path) || GIT_RULES.includes(path)
}

/** Programs that leave out what git ignores or does not track. */
const ASKING =
  /(?:^|\/)(?:git|rg|ag|fd|fdfind|ruff|black|prettier|biome|oxlint|dprint|taplo|typos|pre-commit|prek|lint-staged|reuse|tokei|cloc|gitleaks)$/

/** Matches `[ -z "$(git status --porcelain)" ]`, because command substitutions inside a shell word are not followed. */
const IN_SHELL = /(?:\$\(|`)\s*git\s/

/** Whether checks that execute this ask git, as far as their words and scripts tell. `readText`: of a script; `null`: none. */
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

/** A listing of names as it is kept: one a line, in order. */
export function listingOf(names: Iterable<string>): string {
  return [...names].sort().join('\n')
}

/** The names of a listing. */
export function namesOf(listing: string | null): ReadonlySet<string> {
  return new Set((listing ?? '').split('\n').filter((name) => name !== ''))
}

/** The names that git showed in the base and does not show now; whether the files are still there is for the caller to see. */
export function namesLost(base: string | null, now: string | null): readonly string[] {
  if (base === now) return []
  const known = namesOf(now)
  return [...namesOf(base)].filter((name) => !known.has(name))
}

/** The base once the operator has turned `expected`, as it was last seen, into `now`: what an agent took out is still missed. */
export function listingAfterOperator(base: string, expected: string | null, now: string): string {
  const was = namesOf(expected)
  const is = namesOf(now)
  const kept = [...namesOf(base)].filter((name) => is.has(name) || !was.has(name))
  return listingOf(new Set([...kept, ...[...is].filter((name) => !was.has(name))]))
}
