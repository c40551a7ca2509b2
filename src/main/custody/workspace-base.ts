import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { GIT_INDEX } from '../../core/custody/git-view.ts'
import { existsSync } from '../files/names.ts'
import { type BaseState, createBaseFiles } from './base-files.ts'
import { fromTop } from './check-reach.ts'
import type { ContentStore } from './content-store.ts'
import { findGitPlaces, type GitPlaces, placeOf } from './git-places.ts'
import type { IndexPlace } from './git-view.ts'
import type { GuardedFile } from './scan.ts'

/** Texts of one file in the baseline and now; `null` if there is no file. */
export interface TextsOfFile {
  readonly before: string | null
  readonly after: string | null
}

/** The baseline of one workspace, with its kept contents and the paths of its files. */
export class WorkspaceBase {
  readonly directory: string
  readonly store: ContentStore
  private readonly files: ReturnType<typeof createBaseFiles>
  private loaded: BaseState | null = null
  private knownPlaces: GitPlaces | null = null

  /** `directory`: the workspace; `place`: where the base is kept. Both absolute. */
  constructor(directory: string, place: string, store: ContentStore) {
    this.directory = directory
    this.store = store
    this.files = createBaseFiles(place)
  }

  /** The state as last loaded or saved; `null` before that. */
  get state(): BaseState | null {
    return this.loaded
  }

  get top(): string {
    return this.loaded?.top ?? this.directory
  }

  /** Where the tree's git data is. */
  get places(): GitPlaces {
    this.knownPlaces ??= findGitPlaces(this.top, null)
    return this.knownPlaces
  }

  get indexPlace(): IndexPlace {
    return { top: this.top, index: placeOf(this.places, GIT_INDEX) }
  }

  async load(): Promise<BaseState> {
    this.loaded ??= (await this.files.read()) ?? {
      top: topOf(this.directory),
      base: null,
      left: new Map(),
      answers: new Map(),
      programs: new Map(),
    }
    return this.loaded
  }

  async save(state: BaseState): Promise<void> {
    this.loaded = state
    await this.files.write(state)
  }

  /** Uses this state for the moment, until one is saved. */
  assume(state: BaseState): void {
    this.loaded = state
  }

  /** Finds git's data from the baseline's `.git` if it has one, because an agent may have replaced the file on disk. */
  async findPlaces(): Promise<void> {
    const link = this.loaded?.base?.get('.git')
    const said = link === undefined ? null : await this.contentOf(link)
    this.knownPlaces = findGitPlaces(this.top, said?.toString('utf8') ?? null)
  }

  /** Returns `null` if the content was not kept. */
  contentOf({ content }: GuardedFile): Promise<Buffer | null> {
    return this.store.read(content.replace(/:x$/, ''))
  }

  /** Returns both texts. A content that is not kept is represented by its name, so that two of them differ. */
  async textsOf(before: GuardedFile | null, after: GuardedFile | null): Promise<TextsOfFile> {
    const text = async (file: GuardedFile | null): Promise<string | null> =>
      file === null ? null : ((await this.contentOf(file))?.toString('utf8') ?? `${file.content}`)
    return { before: await text(before), after: await text(after) }
  }

  fromWorkspace(path: string): string {
    if (this.top === this.directory) return path
    const way = relative(this.directory, join(this.top, path))
    return sep === '/' ? way : way.replaceAll(sep, '/')
  }

  /** Returns `null` if the path is outside the tree. */
  topPath(path: string): string | null {
    return fromTop(this.top, this.directory, path)
  }
}

/**
 * Returns the top of the repository that contains the folder, without asking git, which an agent may have broken; otherwise the folder
 * itself.
 */
function topOf(directory: string): string {
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === homedir() && folder !== directory) break
    if (existsSync(join(folder, '.git'))) return folder
  }
  return directory
}
