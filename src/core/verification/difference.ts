import { namesFile, namesFolder, namesFolderAsPath } from '../text/names-path.ts'
import type { FileDifference } from './types.ts'

/** Returns all paths of a difference; renamed files under both names. */
export function changedPaths(difference: FileDifference): readonly string[] {
  const before = joined.get(difference)
  if (before !== undefined) return before
  const paths = [...difference.added, ...difference.modified, ...difference.deleted]
  for (const { from, to } of difference.renamed) paths.push(from, to)
  joined.set(difference, paths)
  return paths
}

/** Returns all paths that `changed` looks at. */
export function pathsOfChange(difference: FileDifference): readonly string[] {
  return [...changedPaths(difference), ...(difference.ignored ?? [])]
}

/** Cached, because a judgement asks a dozen times, and an agent may have changed 200,000 files. */
const joined = new WeakMap<FileDifference, readonly string[]>()

/** The operator's request and how it is checked, at the top of the workspace. An agent may edit them, but that is not work. */
const OPERATOR_FILES: ReadonlySet<string> = new Set(['HEARTBEAT.md', 'pulseward.toml'])

/** Returns whether a path of a difference is the contract or the configuration. */
export function isOperatorFile(path: string): boolean {
  return OPERATOR_FILES.has(path)
}

/**
 * Returns the part of a difference that counts as work on a task: everything except the contract and the configuration, unless the task's
 * text names the file. A commit of nothing else is not work either. A change to the repository alone (a push, a tag, a branch) is work if
 * the text asks for one.
 */
export function workOf(difference: FileDifference, taskText: string): FileDifference {
  const asked = taskText.toLowerCase()
  const isWork = (path: string): boolean => !isOperatorFile(path) || namesFile(asked, path.toLowerCase())
  const work: FileDifference = {
    ...difference,
    added: difference.added.filter(isWork),
    modified: difference.modified.filter(isWork),
    deleted: difference.deleted.filter(isWork),
    renamed: difference.renamed.filter(({ from, to }) => isWork(from) || isWork(to)),
    otherwiseChanged: (difference.otherwiseChanged ?? []).filter(isWork),
    asked: askedOfGit(difference, taskText),
  }
  const left = changedPaths(work).length + (work.otherwiseChanged ?? []).length
  const isReduced = changedPaths(difference).length + (difference.otherwiseChanged ?? []).length > left
  return isReduced && left === 0 ? { ...work, headMoved: null } : work
}

/**
 * Returns the difference without the contents of repositories and work trees inside this tree, unless the task's text names their folder:
 * cloning or checking out something there is not work on this tree. Because the agent chooses a new folder's name, only a path in the text
 * counts as naming it, not a word.
 */
export function withoutEmbedded(difference: FileDifference, taskText: string): FileDifference {
  const isNew = new Set(difference.newlyEmbedded)
  return withoutFolders(
    difference,
    (folder) => !(isNew.has(folder) ? namesFolderAsPath : namesFolder)(taskText, folder),
  )
}

/** Returns the difference without removed embedded repositories and work trees: removing one takes nothing from this tree. */
export function withoutRemoved(difference: FileDifference): FileDifference {
  const isRemoved = new Set(difference.removedEmbedded)
  return withoutFolders(difference, (folder) => isRemoved.has(folder))
}

/** Omits the contents of these embedded folders. A file that moved into or out of one counts as deleted or added. */
function withoutFolders(difference: FileDifference, isLeftOut: (folder: string) => boolean): FileDifference {
  const { embedded: all = [], changedElsewhere: everywhere = [], ...others } = difference
  const embedded = all.filter(isLeftOut)
  const left = all.filter((folder) => !isLeftOut(folder))
  const isInside = (path: string): boolean =>
    embedded.some((folder) => path === folder || path.startsWith(`${folder}/`))
  const isOwn = (path: string): boolean => !isInside(path)
  const changedElsewhere = everywhere.filter(isInside)
  const { added, modified, deleted, renamed, otherwiseChanged, unsure } = others
  return {
    ...others,
    ...(left.length > 0 && { embedded: left }),
    added: [...added, ...renamed.flatMap(({ from, to }) => (isInside(from) ? to : []))].filter(isOwn).sort(),
    modified: modified.filter(isOwn),
    deleted: [...deleted, ...renamed.flatMap(({ from, to }) => (isInside(to) ? from : []))]
      .filter(isOwn)
      .sort(),
    renamed: renamed.filter(({ from, to }) => isOwn(from) && isOwn(to)),
    ...(otherwiseChanged !== undefined && { otherwiseChanged: otherwiseChanged.filter(isOwn) }),
    ...(unsure !== undefined && { unsure: unsure.filter(isOwn) }),
    ...(changedElsewhere.length > 0 && { changedElsewhere }),
  }
}

/** Words that ask for a file to become executable, or not to be. */
const ASKS_FOR_MODES = /\bexecutable|\bchmod\b|\bpermissions?\b|\+x\b/i

/** Returns the difference with files whose executable bit changed as modified, if the task's text asks for such a change. */
export function withAskedModes(difference: FileDifference, taskText: string): FileDifference {
  const { executable = [], ...others } = difference
  if (executable.length === 0 || !ASKS_FOR_MODES.test(taskText)) return difference
  const asked = new Set(executable)
  return {
    ...others,
    modified: [...others.modified, ...executable].sort(),
    otherwiseChanged: others.otherwiseChanged?.filter((path) => !asked.has(path)) ?? [],
  }
}

/** For each kind of ref or repository note, words in a task's text that ask for it. */
const ASKED: readonly (readonly [RegExp, RegExp])[] = [
  [/^refs\/remotes\//, /\b(?:push|publish|fetch|pull\b|sync|upstream|origin|remote)/i],
  [/^refs\/tags\//, /\b(?:tag|release|version)/i],
  [/^(?:HEAD$|refs\/heads\/)/, /\b(?:branch|check ?out|switch(?:ed)? to)/i],
  [/configuration/, /\b(?:remote|upstream|git[- ]?config)/i],
  [/stash/, /\bstash/i],
  [/hook/, /\bhook/i],
  [
    /commit any more that was checked out/,
    /\b(?:amend|reword|rebase|squash)|\b(?:commit|HEAD)\b.{0,20}\b(?:message|subject|title|author)|\b(?:message|subject|title|author)\b.{0,20}\bcommit/i,
  ],
]

/** Returns the moved refs and repository notes that the text asks for, by a word for their kind or by mentioning git. */
function askedOfGit({ names = [], repository = [] }: FileDifference, text: string): readonly string[] {
  const speaksOfGit = /\bgit\b/i.test(text)
  return [...names, ...repository].filter(
    (one) => speaksOfGit || ASKED.some(([kind, words]) => kind.test(one) && words.test(text)),
  )
}
