/*
 * Sources that tamper with what runs their tests. Tests, configuration and scripts can all match the baseline, and their result still means
 * nothing: the source under test has disabled the assertions, or knows when it is being tested. No measurement can show that from outside,
 * so the source text is searched for signs, and a person reviews the matches. A match alone proves nothing, because it may have a good
 * reason.
 */

import { LANGUAGES, type Language } from './reaching-signs.ts'

/** Matches files that start or end programs, by the names that most of them have. */
const PROGRAM_PATH =
  /(?:^|\/)(?:bin|cli|cmd|commands?|scripts?|tools?|examples?|bench\w{0,20}|servers?|workers?|build|dev|demos?|samples?|packaging)\/|(?:^|[/._-])(?:cli|main|__main__|server|app|bin|run\w{0,20}|start|worker|daemon|cmd|command|shutdown|bootstrap|entry|build|watch\w{0,20}|dev|setup|install\w{0,20}|launch\w{0,20}|migrate|seed|manage|process|exit|signals?)\.\w{1,6}$/i

/** Reported for a link that replaced a source and leads to files that no diff shows. */
export const LEADS_AWAY = 'files that are not part of the work'
/** A byte that no source needs: `grep -I`, `git grep` and similar tools treat a file with it as data, and find nothing in it.
 */
const NOT_TEXT = 'a form that tools which search text pass over'
/** Reported for a source that was too long to be read, or exceeded the number of sources that are read. */
export const UNREAD = 'what is not known: there was too much to read'

/** Returns whether a file with that name is searched for signs at all. */
export function mayReach(path: string): boolean {
  return WITHOUT_EXTENSION.test(path) || LANGUAGES.some(({ files }) => files.test(path))
}

/** Returns whether a file has the name or the place of a program, which may end itself. */
export function isCalledProgram(path: string): boolean {
  return PROGRAM_PATH.test(path)
}

const HELPS_TESTS =
  /mock|stub|fake|fixture|spec|setup|stor(?:y|ies)|jest|jasmine|cypress|playwright|e2e|bench/i
const WITHOUT_EXTENSION = /(?:^|\/)[^/.][^/.]*$/

function languageOf(path: string, text: string): Language | undefined {
  const isByName = LANGUAGES.find(({ files }) => files.test(path))
  if (isByName !== undefined || !WITHOUT_EXTENSION.test(path)) return isByName
  return LANGUAGES.find(({ interpreter }) => interpreter?.test(text))
}

/**
 * Returns what a source reaches for that belongs to its runner or its tests, in words, without duplicates. `isLoaded`: a check or a library
 * is known to load it, so it may not end itself, whatever its name. Pure; never throws.
 */
export function reachesFor(path: string, text: string, isLoaded = false): readonly string[] {
  const language = languageOf(path, text)
  if (language === undefined) return []
  const folded = language.fold(text)
  const code = language.code?.(folded) ?? folded
  const isProgram = text.startsWith('#!') || language.program?.test(folded) === true
  const isCalledSo = isProgram || isCalledProgram(path)
  const found = language.signs.flatMap(({ pattern, words, of, isInCode }) => {
    const isSpared =
      of === 'product' || of === 'shipped'
        ? /test/i.test(path) || (of === 'shipped' && HELPS_TESTS.test(path))
        : !isLoaded &&
          (of === 'loaded' || (of === 'modules' && isProgram) || (of === 'libraries' && isCalledSo))
    const match = isSpared ? null : pattern.exec(isInCode === true ? code : folded)
    return match === null ? [] : [words.replace('$1', match[1] ?? '')]
  })
  const hidden = text.includes('\0') ? [NOT_TEXT] : []
  return [...new Set([...found, ...(language.alsoFinds?.(folded) ?? []), ...hidden])]
}
