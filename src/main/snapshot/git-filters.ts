import { runGit } from './git-command.ts'
import { KeptAnswers } from './git-config-key.ts'
import { type RawPath, toText } from './raw-path.ts'

export type GitSettings = readonly (readonly [name: string, value: string])[]

/** A repository that names more programs than this is not asked for its status. */
const MAX_SETTINGS = 500

/** What of the configuration bears on how the repository is looked at. */
export interface Configured {
  /** They take the program from every filter that is named: `git status` would run it on files that look touched. */
  readonly withoutFilters: GitSettings
  /** `core.excludesFile`, one character per byte, with nothing in front but `~/`; null where it is not set. */
  readonly excludesFile: RawPath | null
}

const kept = new KeptAnswers<Configured | null>()

/**
 * Reads the configuration, with all that it includes. Null where it names too many filters to be set aside, or git fails. `key`: of
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
    '^(filter[.].*[.](clean|smudge|process|required)|core[.]excludesfile)$',
  ])
  // Exit code 1 without a word: there are none.
  if (!output.ok && !(output.exitCode === 1 && output.error.startsWith('Command failed'))) return null
  // Name and value, a line feed between; a name may hold one itself, but its last part does not.
  const entries = output.stdout.toString('latin1').split('\0').filter(Boolean)
  const names = new Set<string>()
  let excludesFile: RawPath | null = null
  for (const entry of entries) {
    const [, name, value = ''] =
      /^(.*?[.](?:clean|smudge|process|required|excludesfile))(?:\n(.*))?$/s.exec(entry) ?? []
    if (name === 'core.excludesfile') excludesFile = value
    else if (name !== undefined) names.add(toText(name))
  }
  if (names.size > MAX_SETTINGS) return null
  const withoutFilters = [...names].map((name) => [name, name.endsWith('.required') ? 'false' : ''] as const)
  if (excludesFile === null || !WRITTEN_OTHERWISE.test(excludesFile)) return { withoutFilters, excludesFile }
  const expanded = await runGit(directory, ['config', '--null', '--type=path', '--get', 'core.excludesFile'])
  const path = expanded.stdout.toString('latin1').replace(/\0$/, '')
  return { withoutFilters, excludesFile: expanded.ok ? path : excludesFile }
}

/** Of another user's home, below git's own folder, or only where it is there: git alone knows where that is. */
const WRITTEN_OTHERWISE = /^(?:~[^/]|%\(|:\()/
