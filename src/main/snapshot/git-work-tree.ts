import { sep } from 'node:path'
import { realpath } from '../files/names.ts'
import type { HashAlgorithm } from './content.ts'
import { runGit } from './git-command.ts'
import { KeptAnswers } from './git-config-key.ts'
import { fromText, type RawPath } from './raw-path.ts'

export interface WorkTreePlace {
  /** Path of the workspace from the top of the work tree; `''` if it is the top. */
  readonly prefix: RawPath
  readonly algorithm: HashAlgorithm
}

/** Why git cannot be used: the folder is in no work tree (or in one that ignores it), or git failed. */
export interface NoGit {
  readonly kind: 'no-git'
  readonly reason: string
}

const kept = new KeptAnswers<WorkTreePlace | NoGit>()

/** Locates the folder in its work tree. `key`: from `configKey`. */
export async function findWorkTree(
  directory: string,
  key: string | null = null,
): Promise<WorkTreePlace | NoGit> {
  return kept.get(
    key,
    () => askWorkTree(directory),
    // Whether the work tree around it ignores it depends on the work tree's own files, which may change.
    (answer) => !('kind' in answer) && answer.prefix === '',
  )
}

async function askWorkTree(directory: string): Promise<WorkTreePlace | NoGit> {
  const output = await runGit(directory, [
    'rev-parse',
    '--is-inside-work-tree',
    '--show-object-format',
    '--show-cdup',
  ])
  if (!output.ok) return { kind: 'no-git', reason: output.error }
  const [isInside, algorithm, up = ''] = output.stdout.toString('utf8').split('\n')
  const hasKnownFormat = algorithm === 'sha1' || algorithm === 'sha256'
  if (isInside !== 'true' || !hasKnownFormat || !/^(\.\.\/)*$/.test(up))
    return { kind: 'no-git', reason: 'not in a git work tree' }
  if (up === '') return { algorithm, prefix: '' }
  const ignored = await runGit(directory, ['check-ignore', '--quiet', '.'])
  if (ignored.ok) return { kind: 'no-git', reason: 'the work tree around it ignores it' }
  const names = (await realpath(directory)).split(sep)
  return { algorithm, prefix: fromText(names.slice(names.length - up.length / '../'.length).join('/')) }
}
