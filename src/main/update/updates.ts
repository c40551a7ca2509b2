import { RequestProblem } from '../../api/request-problem.ts'
import { type Feed, newerReleases } from '../../core/update/feed.ts'
import type { Updates } from '../ports/updates.ts'
import { changeVersion } from './change-version.ts'
import { readKept } from './kept.ts'
import { knownFeed, readFeed, updateStatus } from './known-feed.ts'
import type { UpdatesOptions } from './options.ts'

/** Looks for other versions in the signed feed of this installation, and installs them by what the system has. */
export function openUpdates(options: UpdatesOptions): Updates {
  const stopping = new AbortController()
  const { signal } = stopping
  let isBusy = false
  /** One after the other: two would fetch into the same file. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isBusy) throw new RequestProblem('conflict', 'Another look for updates has not ended yet.')
    isBusy = true
    try {
      return await work()
    } finally {
      isBusy = false
    }
  }
  return {
    status: () => updateStatus(options),
    check: () =>
      alone(async () => {
        await readFeed(options, signal)
        return updateStatus(options)
      }),
    install: (wanted) =>
      alone(async () => {
        const feed = await knownFeed(options, signal, { isNewest: true })
        return changeVersion(options, newVersion(feed, options.version, wanted), feed, signal)
      }),
    rollBack: () =>
      alone(async () => {
        const { before } = await readKept(options.dataDirectory)
        if (before === null || before.version === options.version) {
          throw new RequestProblem('not-found', 'No update was made that can be taken back.')
        }
        const feed = await knownFeed(options, signal, { isNewest: false })
        const outcome = await changeVersion(options, before.version, feed, signal)
        const restore = `What the newer one wrote, an older one may refuse: pulseward backup restore ${before.backup}`
        return { ...outcome, notes: [...outcome.notes, restore] }
      }),
    stop: async () => stopping.abort(),
  }
}

function newVersion(feed: Feed, version: string, wanted: string | undefined): string {
  const newer = newerReleases(feed, version).map((release) => release.version)
  const [newest] = newer
  if (newest === undefined) throw new RequestProblem('conflict', `${version} is the newest. Nothing to do.`)
  if (wanted === undefined || newer.includes(wanted)) return wanted ?? newest
  throw new RequestProblem(
    'not-found',
    `${wanted} is none of the newer versions: ${newer.join(', ')}. An older one is gone back to by \`pulseward update rollback\`.`,
    { data: { known: [...newer] } },
  )
}
