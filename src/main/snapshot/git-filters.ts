import { runGit } from './git-command.ts'

export type GitSettings = readonly (readonly [name: string, value: string])[]

/** A repository that names more programs than this is not asked for its status. */
const MAX_SETTINGS = 500

/**
 * Settings that take the program from every filter that the repository's configuration (or anything it includes) names: `git
 * status` would run it on files that look touched. Null where there are too many to be set aside, or git fails.
 */
export async function withoutFilters(directory: string): Promise<GitSettings | null> {
  const output = await runGit(directory, [
    'config',
    '--null',
    '--name-only',
    '--get-regexp',
    '^filter[.].*[.](clean|smudge|process|required)$',
  ])
  // Exit code 1 without a word: there are none.
  if (!output.ok && !(output.exitCode === 1 && output.error.startsWith('Command failed'))) return null
  const names = [...new Set(output.stdout.toString('utf8').split('\0').filter(Boolean))]
  if (names.length > MAX_SETTINGS) return null
  return names.map((name) => [name, name.endsWith('.required') ? 'false' : ''] as const)
}
