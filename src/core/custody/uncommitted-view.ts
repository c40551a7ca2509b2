/*
 * Checks that look only at uncommitted changes, or only at staged ones, prove nothing about committed work: they pass because
 * they see none of it.
 */

/** What such a check looks at: changes since the last commit, or those that the next one would contain. */
export type UncommittedView = 'changed' | 'staged'

const GIT = String.raw`\bgit\b[^\n|;&]{0,120}?[\s"']`
const REST = String.raw`\b[^\n|;&]{0,200}?`
/** `[ -z "$(git diff --name-only)" ]`, `git diff --quiet`: asks whether there are changes, and not what they are. */
const ASKS_IF_ANY = new RegExp(
  [
    String.raw`(?:\btest|\[\[?)\s{1,9}(?:!\s{1,9})?-[zn]\s{1,9}["']?(?:\$\(|${'`'})\s{0,9}git\b[^\n)${'`'}]{0,300}`,
    `${GIT}(?:diff|diff-index|diff-files|status)${REST}(?:--exit-code|--quiet|\\s-q\\b)`,
    String.raw`\bgit\b[^\n;&|]{0,300}\|\s{0,9}(?:wc|grep\s{1,9}-\w{0,9}q)\b`,
  ].join('|'),
  'g',
)
/** Compares or reads commits, so different commits would make it a different question. */
const READS_COMMITS = new RegExp(
  [
    `${GIT}(?:log|show|rev-list|describe|merge-base|format-patch|blame|shortlog)\\b`,
    String.raw`\bHEAD[~^@]`,
    String.raw`\bgit\b[^\n|;&]{0,200}?[\w/]\.{2,3}(?:[\w"'\s$]|$)`,
  ].join('|'),
)
const LISTS = new RegExp(
  [
    `${GIT}diff(?:-index|-files)?${REST}(?:--name-(?:only|status)\\b|--diff-filter\\b|--check\\b|\\|(?!\\|))`,
    `${GIT}ls-files${REST}\\s["']?(?:-\\w{0,5}m\\w{0,5}|--modified)\\b`,
    `${GIT}status${REST}\\s["']?(?:-\\w{0,5}s\\w{0,5}|--short|--porcelain)\\b[^\\n;&|]{0,200}\\|(?!\\|)`,
    `${GIT}clang-format\\b`,
    String.raw`\bjest\b[^\n|;&]{0,200}?\s(?:-o|--onlyChanged)(?![\w=])`,
    String.raw`\b(?:vitest|biome|playwright)\b[^\n|;&]{0,200}?\s--(?:only-)?changed(?![\w=-])`,
    String.raw`\bpytest\b[^\n|;&]{0,200}?\s--picked\b|\bgolangci-lint\b[^\n|;&]{0,200}?\s--new(?![\w=-])`,
    String.raw`(?:^|[\s/"'])(?:pretty-quick|darker)(?=\s|$)|--filter=gitmodified\b`,
  ].join('|'),
  'i',
)
const STAGED = new RegExp(
  [
    String.raw`(?:^|[\s/"'])(?:lint-staged|nano-staged|git-format-staged)(?=["'\s;|&]|$)`,
    String.raw`(?:^|[\s/"'])(?:pre-commit|prek)\s{1,9}run\b(?![^\n|;&]{0,200}?\s(?:-a|--all-files|--files|--from-ref)\b)`,
    `${GIT}diff(?:-index)?${REST}--(?:cached|staged)\\b`,
    String.raw`\b(?:biome|pretty-quick|pronto)\b[^\n|;&]{0,200}?\s--staged\b|--filter=gitstaged\b`,
  ].join('|'),
  'i',
)

/** A longer one is data. */
const MAX_LENGTH = 64 * 1024

/**
 * Returns what a command text looks at, judging by its words; `null` if that doesn't depend on what is committed. Pure;
 * never throws.
 */
export function uncommittedView(whole: string): UncommittedView | null {
  const text = whole.slice(0, MAX_LENGTH)
  if (READS_COMMITS.test(text)) return null
  const rest = text.replace(ASKS_IF_ANY, '')
  if (STAGED.test(rest)) return 'staged'
  return LISTS.test(rest) ? 'changed' : null
}
