import { join } from 'node:path'
import { listingAfterOperator, namesOf } from '../../core/custody/git-view.ts'
import { readWithinSync } from '../files/beneath.ts'
import { lstatSync } from '../files/names.ts'
import type { Log } from '../ports/log.ts'
import type { AgentTimes } from './agent-times.ts'
import type { WrittenFile } from './git-index-file.ts'
import { blobsShown, hiddenFromGit, indexShowing, lookAtIndex, showAgain, showOnly } from './git-view.ts'
import { findMovedAway, type KnownBlob, namesGone } from './moved-away.ts'
import type { GuardedFile } from './scan.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Limit for a file that git should show again, which is a test or a script. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Custody of git's index. What git shows is part of the baseline, because a check that uses git sees only that. */
export class IndexCustody {
  private readonly base: WorkspaceBase
  private readonly times: AgentTimes
  private readonly log: Log
  /** What git showed when this or an earlier cycle began; recorded only if a check uses git. */
  private shown: ReadonlyMap<string, KnownBlob> = new Map()

  constructor(base: WorkspaceBase, times: AgentTimes, log: Log) {
    this.base = base
    this.times = times
    this.log = log
  }

  /** Records what git shows at the beginning of a cycle. */
  see(): void {
    this.shown = new Map([...this.shown, ...blobsShown(this.base.indexPlace)])
  }

  /** Returns the files that git shows and for which `isMeant` is true. */
  shownWhere(isMeant: (path: string) => boolean): ReadonlySet<string> {
    return new Set([...blobsShown(this.base.indexPlace).keys()].filter(isMeant))
  }

  look(known: GuardedFile | undefined): Promise<GuardedFile | null> {
    return lookAtIndex(this.base.indexPlace, known, this.base.store)
  }

  /** Moves the baseline by what the operator did with git's index; files that an agent hid from git before still count as missing. */
  async afterOperator(
    before: GuardedFile | null,
    expected: GuardedFile | null,
    current: GuardedFile,
  ): Promise<{ readonly base: GuardedFile; readonly isHiding: boolean }> {
    if (before === null) return { base: current, isHiding: false }
    const texts = await this.base.textsOf(before, current)
    const was = expected === null ? null : (await this.base.textsOf(null, expected)).after
    const listing = listingAfterOperator(texts.before ?? '', was, texts.after ?? '')
    const content = await this.base.store.keep(Buffer.from(listing))
    const next = content === null ? before : { content, state: 'merged' }
    return { base: next, isHiding: hiddenFromGit(this.base.top, listing, texts.after).length > 0 }
  }

  /**
   * Returns the names that git showed in the baseline and does not show now, although the file still exists: where it was, or where an
   * agent has moved it.
   */
  async hiddenNames(
    before: GuardedFile | null,
    now: GuardedFile | null,
    isAsked: boolean,
  ): Promise<readonly string[]> {
    const isSame = before?.content === now?.content
    if (isSame && !isAsked) return []
    const texts = await this.base.textsOf(before, now)
    const hidden = isSame ? [] : hiddenFromGit(this.base.top, texts.before, texts.after)
    const moved = isAsked ? await this.movedNames(texts.before, texts.after) : new Map<string, string>()
    return [...hidden, ...moved.keys()]
  }

  /** Returns the files for a room in which git shows the same as in the baseline. */
  async planRoom(
    before: GuardedFile | null,
    now: GuardedFile | null,
    isAsked: boolean,
  ): Promise<{ readonly files: ReadonlyMap<string, WrittenFile>; readonly index: Buffer }> {
    const texts = await this.base.textsOf(before, now)
    const moved = isAsked ? await this.movedNames(texts.before, texts.after) : new Map<string, string>()
    const files = new Map([...moved].flatMap(([name, where]) => this.movedFile(name, where)))
    const names = [...hiddenFromGit(this.base.top, texts.before, texts.after), ...files.keys()]
    return { files, index: indexShowing(this.base.indexPlace, names, files) }
  }

  /** Makes git show what the listing names: again, if an agent had hidden it, or only that, if this is an undo. */
  async restore(listing: GuardedFile): Promise<void> {
    const place = this.base.indexPlace
    const { before, after } = await this.base.textsOf(listing, await this.look(undefined))
    const hidden = hiddenFromGit(place.top, before, after)
    await (hidden.length > 0 ? showAgain(place, hidden) : showOnly(place, [...namesOf(before)])).catch(
      (error: unknown) => this.log.warn('The index of git could not be written', { error: String(error) }),
    )
  }

  /** Finds where files are now that git showed in the baseline. */
  private async movedNames(base: string | null, now: string | null): Promise<ReadonlyMap<string, string>> {
    const gone = namesGone(this.base.top, namesOf(base))
    if (gone.length === 0) return new Map()
    const blobs = new Map(gone.map((name) => [name, this.shown.get(name) ?? null]))
    return findMovedAway(this.base.top, blobs, namesOf(now), await this.times.has())
  }

  /** Returns a moved file as it is now, under the name by which git showed it. */
  private movedFile(name: string, where: string): readonly (readonly [string, WrittenFile])[] {
    try {
      const file = join(this.base.top, where)
      const isExecutable = (lstatSync(file).mode & 0o100) !== 0
      const bytes = readWithinSync(this.base.top, file, MAX_FILE_BYTES)
      return bytes === null ? [] : [[name, { bytes, isExecutable }]]
    } catch {
      return []
    }
  }
}
