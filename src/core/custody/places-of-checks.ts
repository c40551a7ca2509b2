/**
 * Names of scripts that checks consist of: `run-tests.sh`, `lib/assert.sh`, `test/helper.sh`. Also of settings, such as `.env`, which are
 * never the subject of a check.
 */
const NAME_OF_CHECK =
  /(?:^|[/_.-])(?:tests?|run[-_]?tests?|specs?|checks?|verify|validate|asserts?|assertions?|expect|lint|ci|harness|helpers?|matchers|probes?|gates?|count|smoke|env(?:rc|ironment)?)(?=$|[/_.-])/i

/**
 * Returns whether a script that another one runs or sources is part of the check: its name says so, or it is in the same folder of checks
 * as one of `files`, the scripts that led to it.
 */
export function belongsToCheck(path: string, files: readonly string[]): boolean {
  const folder = FOLDERS_OF_CHECKS.exec(path)?.[0]
  return (
    NAME_OF_CHECK.test(path) || (folder !== undefined && files.some((file) => file.startsWith(`${folder}/`)))
  )
}

/** Folders that contain scripts of checks together with the files that these use. */
const FOLDERS_OF_CHECKS =
  /^(?:.*?\/)?(?:\.?ci|checks?|scripts?|tools?|hack|verify|verification|validation|qa|acceptance|smoke|probes?|gates?)(?=\/)/

/** Returns a glob of the code beside a script in a folder of checks; `null` for a script elsewhere, such as one among the sources. */
export function besideScript(path: string): string | null {
  const folder = FOLDERS_OF_CHECKS.exec(path)?.[0]
  return folder === undefined || folder.startsWith('/') || folder.startsWith('..')
    ? null
    : `${folder}/**/${CODE_FILES}`
}

/** Code by its extension, or files without one. Excludes logs and reports that a script writes beside itself. */
const CODE_FILES =
  '{*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,py,sh,bash,zsh,rb,pl,php,lua,go,rs,awk,sed,jq,ps1,mk},!(*.*)}'

const FOLDERS_OF_SOURCES = /(?:^|\/)(?:src|source|sources|lib|app)\//
/** What is loaded for tests only, in most projects. */
const NAME_OF_PREPARATION =
  /(?:^|[/_.-])(?:set-?up|hooks?|mocks?|stubs?|fixtures?|register|reporters?|environment|resolver|transform(?:er)?|plugins?)(?=$|[/_.-])/i

/** Returns whether a file that a runner loads is among the sources of the product, and its name doesn't suggest tests. */
export function isAmongSources(path: string): boolean {
  return FOLDERS_OF_SOURCES.test(path) && !NAME_OF_PREPARATION.test(path)
}
