import { RequestProblem } from '../../api/request-problem.ts'
import { type Feed, newerReleases } from '../../core/update/feed.ts'
import type { Updates } from '../ports/updates.ts'
import { changeVersion } from './change-version.ts'
import { readKept } from './kept.ts'
import { knownFeed, readFeed, updateStatus } from './known-feed.ts'
import type { UpdatesOptions } from './options.ts'

/** Looks for other versions in this installation's signed feed, and installs them with the system's tool. */
export function openUpdates(options: UpdatesOptions): Updates {
  const stopping = new AbortController()
  const { signal } = stopping
  let isBusy = false
  /** One at a time: two would download to the same file. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isBusy) throw new RequestProblem('conflict', 'Another check for updates is still running.')
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
          throw new RequestProblem('not-found', 'There is no update to roll back.')
        }
        const feed = await knownFeed(options, signal, { isNewest: false })
        const outcome = await changeVersion(options, before.version, feed, signal)
        const restore = `An older version may refuse what the newer one wrote: pulseward backup restore ${before.backup}`
        return { ...outcome, notes: [...outcome.notes, restore] }
      }),
    stop: async () => stopping.abort(),
  }
}

function newVersion(feed: Feed, version: string, wanted: string | undefined): string {
  const newer = newerReleases(feed, version).map((release) => release.version)
  const [newest] = newer
  if (newest === undefined) throw new RequestProblem('conflict', `${version} is the newest version.`)
  if (wanted === undefined || newer.includes(wanted)) return wanted ?? newest
  throw new RequestProblem(
    'not-found',
    `${wanted} is not one of the newer versions: ${newer.join(', ')}. To go back to an older one, run \`pulseward update rollback\`.`,
    { data: { known: [...newer] } },
  )
}
