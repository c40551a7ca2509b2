import { runGit } from './git-command.ts'
import { KeptAnswers } from './git-config-key.ts'
import { type RawPath, toText } from './raw-path.ts'

export type GitSettings = readonly (readonly [name: string, value: string])[]

/** Git is not asked for the status of a repository with more filters than this. */
const MAX_SETTINGS = 500

/** The part of the configuration that affects how the repository is read. */
export interface Configured {
  /** Remove every named filter's program: `git status` would run it on files that look touched. */
  readonly withoutFilters: GitSettings
  /** `core.excludesFile`, one character per byte; the only special beginning is `~/`. Null if it is not set. */
  readonly excludesFile: RawPath | null
  /** Whether git may store files otherwise than they are on disk, even without a `.gitattributes` file. */
  readonly convertsFiles: boolean
  /** How git takes line ends and executable bits from the files, with anything that would make it refuse a file turned off. */
  readonly conversions: GitSettings
}

const kept = new KeptAnswers<Configured | null>()

/**
 * Reads the configuration with everything it includes. Null if it names too many filters to disable, or git fails. `key`: from
 * `configKey`.
 */
export async function readConfigured(
  directory: string,
  key: string | null = null,
): Promise<Configured | null> {
  return kept.get(
    key,
    () => askConfigured(directory),
    (answer) => answer !== null,
  )
}

async function askConfigured(directory: string): Promise<Configured | null> {
  const output = await runGit(directory, [
    ...['config', '--null', '--get-regexp'],
    '^(filter[.].*[.](clean|smudge|process|required)|core[.](excludesfile|autocrlf|eol|filemode|attributesfile))$',
  ])
  // Exit code 1 without output: there are none.
  if (!output.ok && !(output.exitCode === 1 && output.error.startsWith('Command failed'))) return null
  // Name and value, separated by a line feed; a name may contain one too, but not in its last part.
  const entries = output.stdout.toString('latin1').split('\0').filter(Boolean)
  const names = new Set<string>()
  let excludesFile: RawPath | null = null
  let convertsFiles = false
  const conversions: [string, string][] = [['core.safecrlf', 'false']]
  for (const entry of entries) {
    const [, name, given] =
      /^(.*?[.](?:clean|smudge|process|required|excludesfile|autocrlf|eol|filemode|attributesfile))(?:\n(.*))?$/s.exec(
        entry,
      ) ?? []
    const value = given ?? ''
    // A setting without a value is true.
    if (name !== undefined && CONVERSIONS.has(name)) conversions.push([name, given ?? 'true'])
    if (name === 'core.excludesfile') excludesFile = value
    else if (name === 'core.autocrlf' || name === 'core.attributesfile') convertsFiles ||= value !== 'false'
    else if (name !== undefined && !CONVERSIONS.has(name)) names.add(toText(name))
  }
  if (names.size > MAX_SETTINGS) return null
  const withoutFilters = [...names].map((name) => [name, name.endsWith('.required') ? 'false' : ''] as const)
  const known = { withoutFilters, excludesFile, convertsFiles, conversions }
  if (excludesFile === null || !WRITTEN_OTHERWISE.test(excludesFile)) return known
  const expanded = await runGit(directory, ['config', '--null', '--type=path', '--get', 'core.excludesFile'])
  const path = expanded.stdout.toString('latin1').replace(/\0$/, '')
  return { ...known, excludesFile: expanded.ok ? path : excludesFile }
}

const CONVERSIONS: ReadonlySet<string> = new Set(['core.autocrlf', 'core.eol', 'core.filemode'])

/** In another user's home, relative to git's own folder, or optional: only git knows where that is. */
const WRITTEN_OTHERWISE = /^(?:~[^/]|%\(|:\()/
