import type { FileDifference } from '../../core/verification/types.ts'

type Lists = Pick<FileDifference, 'added' | 'modified' | 'deleted' | 'renamed' | 'otherwiseChanged'>

/** The lists of a folder's difference, by the paths of what the folder lies in. */
export function listsBelow(folder: string, difference: FileDifference): Lists {
  const at = (path: string): string => `${folder}/${path}`
  return {
    added: difference.added.map(at),
    modified: difference.modified.map(at),
    deleted: difference.deleted.map(at),
    renamed: difference.renamed.map(({ from, to }) => ({ from: at(from), to: at(to) })),
    otherwiseChanged: (difference.otherwiseChanged ?? []).map(at),
  }
}

/** A difference with further lists behind its own. */
export function joinLists(difference: FileDifference, lists: Lists): FileDifference {
  const otherwiseChanged = [...(difference.otherwiseChanged ?? []), ...(lists.otherwiseChanged ?? [])]
  return {
    ...difference,
    added: [...difference.added, ...lists.added],
    modified: [...difference.modified, ...lists.modified],
    deleted: [...difference.deleted, ...lists.deleted],
    renamed: [...difference.renamed, ...lists.renamed],
    ...(otherwiseChanged.length > 0 && { otherwiseChanged }),
  }
}
