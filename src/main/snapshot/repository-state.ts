import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { findTop } from './git-command.ts'
import type { Configured } from './git-filters.ts'
import { commonDirectory, readText, realGitDirectory } from './git-folder.ts'

/**
 * What of a repository, beside its files, may hide a change, run a program or throw work away. Texts are digests where nothing
 * but a change matters.
 */
export interface RepositoryState {
  readonly gitDirectory: string
  readonly config: string
  /** Rules outside the work tree by which names are ignored. */
  readonly excludes: string
  readonly attributes: string
  /** Sparse checkout, grafts, alternates. */
  readonly other: string
  /** Digest by name. */
  readonly hooks: ReadonlyMap<string, string>
  /** Entries of the stash. */
  readonly stashed: number
  /** Names of the filters' settings. */
  readonly filters: string
}

/** Reads it from the files themselves; null where the folder is in no repository. Never rejects. */
export async function readRepositoryState(
  directory: string,
  configured: Configured,
): Promise<RepositoryState | null> {
  const top = await findTop(directory)
  if (top === null) return null
  const gitDirectory = await realGitDirectory(join(top, '.git'))
  const common = await commonDirectory(gitDirectory)
  const text = async (...names: string[]): Promise<string> =>
    (await Promise.all(names.map((name) => readText(join(common, name))))).join('\0')
  const [config, own, excludes, attributes, other, stash, hooks, globalExcludes] = await Promise.all([
    text('config', 'config.worktree'),
    readText(join(gitDirectory, 'config.worktree')),
    text('info/exclude'),
    text('info/attributes'),
    text('info/sparse-checkout', 'info/grafts', 'objects/info/alternates', 'shallow'),
    text('logs/refs/stash'),
    readHooks(join(common, 'hooks')),
    readGlobalExcludes(top, configured.excludesFile),
  ])
  return {
    gitDirectory,
    config: digest(config + own),
    excludes: `${excludes}\n${globalExcludes}`,
    attributes: digest(attributes),
    other: digest(other),
    hooks,
    stashed: stash.split('\n').filter(Boolean).length,
    filters: configured.withoutFilters.map(([name]) => name).join('\n'),
  }
}

/** What makes it doubtful that git, asked after it, shows all that changed since before. */
export function mayHideChanges(before: RepositoryState, after: RepositoryState): boolean {
  const names = ['gitDirectory', 'config', 'excludes', 'attributes', 'other', 'filters'] as const
  return names.some((name) => before[name] !== after[name])
}

/** What changed of the repository itself, as sentences for people. */
export function describeRepositoryChanges(before: RepositoryState, after: RepositoryState): string[] {
  const hooks = [...after.hooks].filter(([name, content]) => before.hooks.get(name) !== content)
  return [
    ...(before.gitDirectory === after.gitDirectory ? [] : ['the repository is another one than before']),
    ...(before.config === after.config ? [] : ["the repository's configuration was changed"]),
    ...(before.excludes === after.excludes
      ? []
      : ['rules outside the work tree by which git ignores files were changed']),
    ...(before.attributes === after.attributes ? [] : ["the repository's own attributes were changed"]),
    ...(before.other === after.other ? [] : ['what git takes for checked out, or for history, was changed']),
    ...hooks.map(([name]) => `the hook ${name} was ${before.hooks.has(name) ? 'changed' : 'added'}`),
    ...(after.stashed > before.stashed ? ['work was put into the stash'] : []),
    ...(after.stashed < before.stashed ? ['work was taken from the stash'] : []),
  ]
}

async function readHooks(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch(() => [])
  const live = names.filter((name) => !name.endsWith('.sample')).slice(0, 100)
  return new Map(
    await Promise.all(live.map(async (name) => [name, digest(await readText(join(folder, name)))] as const)),
  )
}

/** Of `core.excludesFile`, wherever it is set, or of the place where git looks without it. */
async function readGlobalExcludes(top: string, named: string | null): Promise<string> {
  if (named !== null && named !== '') return readText(resolve(top, named.replace(/^~(?=\/)/, homedir())))
  const home = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return readText(join(home, 'git', 'ignore'))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
