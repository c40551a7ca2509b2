import type { FileDifference } from '../../core/verification/types.ts'

type Lists = Pick<FileDifference, 'added' | 'modified' | 'deleted' | 'renamed' | 'otherwiseChanged'>

/** Returns the lists of a folder's difference, with paths relative to its parent. */
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

/** Returns a difference with further lists appended. */
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
