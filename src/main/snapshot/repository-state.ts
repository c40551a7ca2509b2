import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { GIT_RULES } from '../../core/custody/git-view.ts'
import { readdirSync } from '../files/names.ts'
import { sha256 } from '../files/sha256.ts'
import { findTop } from './git-command.ts'
import type { Configured } from './git-filters.ts'
import { commonDirectory, readEveryByte, realGitDirectory } from './git-folder.ts'
import { fromText, type RawPath } from './raw-path.ts'

/**
 * Parts of a repository, besides its files, that may hide a change, run a program or discard work. Texts are digests if only a
 * change matters.
 */
export interface RepositoryState {
  readonly gitDirectory: string
  readonly config: string
  /** Ignore rules outside the work tree, one character per byte. */
  readonly excludes: string
  readonly attributes: string
  /** Sparse checkout, grafts, alternates. */
  readonly other: string
  /** Digests by hook name. */
  readonly hooks: ReadonlyMap<string, string>
  /** How many entries the stash has. */
  readonly stashed: number
  /** Names of the filters' settings. */
  readonly filters: string
}

/** Files that have their own field above. */
const NAMED = ['config', 'config.worktree', 'info/exclude', 'info/attributes']
const OTHER_RULES = GIT_RULES.flatMap((path) =>
  path.startsWith('.git/') ? [path.slice('.git/'.length)] : [],
).filter((path) => !NAMED.includes(path))

/** Returns whether the repository has attributes outside of its work tree. */
export function hasOwnAttributes({ attributes }: RepositoryState): boolean {
  return attributes !== sha256('')
}

/** Reads the state from the files themselves; null if the folder is in no repository. Never rejects. */
export function readRepositoryState(directory: string, configured: Configured): RepositoryState | null {
  const top = findTop(directory)
  if (top === null) return null
  const gitDirectory = realGitDirectory(join(top, '.git'))
  const common = commonDirectory(gitDirectory)
  const text = (...names: string[]): string =>
    names.map((name) => readEveryByte(join(common, name))).join('\0')
  return {
    gitDirectory,
    config: sha256(text('config', 'config.worktree') + readEveryByte(join(gitDirectory, 'config.worktree'))),
    excludes: outsideExcludes(top, common, configured.excludesFile),
    attributes: sha256(text('info/attributes')),
    other: sha256(text(...OTHER_RULES)),
    hooks: readHooks(join(common, 'hooks')),
    stashed: text('logs/refs/stash').split('\n').filter(Boolean).length,
    filters: configured.withoutFilters.map(([name]) => name).join('\n'),
  }
}

/** True if git may no longer show everything that changed since `before`. */
export function mayHideChanges(before: RepositoryState, after: RepositoryState): boolean {
  const names = ['gitDirectory', 'config', 'excludes', 'attributes', 'other', 'filters'] as const
  return names.some((name) => before[name] !== after[name])
}

/** Returns what changed in the repository itself, as sentences for users. */
export function describeRepositoryChanges(before: RepositoryState, after: RepositoryState): string[] {
  const hooks = [...after.hooks].filter(([name, content]) => before.hooks.get(name) !== content)
  return [
    ...(before.gitDirectory === after.gitDirectory ? [] : ['the repository is not the same as before']),
    ...(before.config === after.config ? [] : ["the repository's configuration was changed"]),
    ...(before.excludes === after.excludes
      ? []
      : ['rules outside the work tree that make git ignore files were changed']),
    ...(before.attributes === after.attributes ? [] : ["the repository's own attributes were changed"]),
    ...(before.other === after.other ? [] : ['what git takes for checked out, or for history, was changed']),
    ...hooks.map(([name]) => `the hook ${name} was ${before.hooks.has(name) ? 'changed' : 'added'}`),
    ...(after.stashed > before.stashed ? ['work was added to the stash'] : []),
    ...(after.stashed < before.stashed ? ['work was removed from the stash'] : []),
  ]
}

function readHooks(folder: string): Map<string, string> {
  const live = namesIn(folder)
    .filter((name) => !name.endsWith('.sample'))
    .slice(0, 100)
  return new Map(live.map((name) => [name, sha256(readEveryByte(join(folder, name)))]))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Returns the ignore rules from outside the work tree `top`, one character per byte: the user's (`core.excludesFile`, or the default file), then
 * the repository's own, which count more because they come later. Never throws.
 */
export function outsideExcludes(top: string, common: string, excludesFile: RawPath | null): string {
  return `${readGlobalExcludes(top, excludesFile)}\n${readEveryByte(join(common, 'info', 'exclude'))}`
}

/** Reads `core.excludesFile`, wherever it is set, or the default file. */
function readGlobalExcludes(top: string, named: RawPath | null): string {
  if (named !== null && named !== '') {
    const place = resolve(
      fromText(top),
      named.replace(/^~(?=\/)/, () => fromText(homedir())),
    )
    return readEveryByte(Buffer.from(place, 'latin1'))
  }
  const home = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return readEveryByte(join(home, 'git', 'ignore'))
}
