import { ask, type Git } from './git.ts'

/** Two commits or trees. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A file that differs between two commits or trees. */
export interface Change {
  readonly path: string
  readonly modeBefore: string
  readonly mode: string
  readonly idBefore: string
  readonly id: string
}

/** The mode of a file on the side that does not have it. */
export const NO_FILE = '000000'

/** Returns the files that differ; a rename is two of them. */
export async function changesOf(git: Git, { from, to }: Move): Promise<readonly Change[]> {
  const fields = (await ask(git, 'diff-tree', '-r', '-z', '--no-renames', from, to)).split('\0')
  const changes: Change[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = '', mode = '', idBefore = '', id = ''] = fields[at]?.slice(1).split(' ') ?? []
    changes.push({ path: fields[at + 1] ?? '', modeBefore, mode, idBefore, id })
  }
  return changes
}
