import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import type { HashAlgorithm } from './content.ts'
import { runGit } from './git-command.ts'
import { fromText, type RawPath } from './raw-path.ts'

export interface WorkTreePlace {
  /** Path of the workspace below the top of the work tree; `''` where it is the top. */
  readonly prefix: RawPath
  readonly algorithm: HashAlgorithm
}

/** Why git cannot serve: the folder is in no work tree (or in one that ignores it), or git failed. */
export interface NoGit {
  readonly kind: 'no-git'
  readonly reason: string
}

/** Where the folder lies in its work tree. */
export async function findWorkTree(directory: string): Promise<WorkTreePlace | NoGit> {
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
