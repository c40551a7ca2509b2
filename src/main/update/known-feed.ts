import { RequestProblem } from '../../api/request-problem.ts'
import { type Feed, newerReleases } from '../../core/update/feed.ts'
import type { UpdateStatus } from '../../core/update/status.ts'
import { fetchText } from './fetch.ts'
import { type Kept, readKept, writeKept } from './kept.ts'
import type { UpdatesOptions } from './options.ts'
import { openFeed } from './signed-feed.ts'
import { readUpdateSource, type UpdateSource } from './source.ts'

/** Returns what is known about other versions, without using the network. */
export async function updateStatus(options: UpdatesOptions): Promise<UpdateStatus> {
  const { version } = options
  const [kept, source, { form }] = await Promise.all([
    readKept(options.dataDirectory),
    readUpdateSource(options.sourceFile),
    options.installation(),
  ])
  const feed = source && keptFeed(kept, source)
  return {
    version,
    form,
    feed: source?.feed ?? null,
    checkedAt: kept.checkedAt,
    problem: kept.problem,
    newer: feed === null ? [] : newerReleases(feed, version).map(({ files: _, ...release }) => release),
    before: kept.before?.version === version ? null : kept.before,
  }
}

/** Downloads the feed and stores it if it is valid. Rejects with a `RequestProblem` if not; the stored feed then stays, with the reason. */
export async function readFeed(options: UpdatesOptions, signal: AbortSignal): Promise<Feed> {
  const { dataDirectory, clock } = options
  const source = await sourceOf(options)
  const kept = await readKept(dataDirectory)
  try {
    const envelope = await fetchText(source.feed, signal)
    const notBefore = keptFeed(kept, source)?.issuedAt ?? null
    const feed = openFeed(envelope, { ...source, from: source.feed, nowMs: clock.nowMs(), notBefore })
    const checkedAt = new Date(clock.nowMs()).toISOString()
    await writeKept(dataDirectory, { ...kept, checkedAt, problem: null, envelope })
    return feed
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, 2_000)
    await writeKept(dataDirectory, { ...kept, problem }).catch(() => undefined)
    throw error
  }
}

/** Returns the stored feed; downloads it if there is no valid one, or if it has expired and must be the newest. */
export async function knownFeed(
  options: UpdatesOptions,
  signal: AbortSignal,
  { isNewest }: { readonly isNewest: boolean },
): Promise<Feed> {
  const kept = keptFeed(await readKept(options.dataDirectory), await sourceOf(options))
  const isOver = kept !== null && Date.parse(kept.expiresAt) < options.clock.nowMs()
  return kept === null || (isNewest && isOver) ? readFeed(options, signal) : kept
}

/** Checks its signature again, because the data folder is not trusted. */
function keptFeed({ envelope }: Kept, source: UpdateSource): Feed | null {
  if (envelope === null) return null
  try {
    return openFeed(envelope, { ...source, from: source.feed, nowMs: 0, notBefore: null })
  } catch {
    return null
  }
}

async function sourceOf({ sourceFile }: UpdatesOptions): Promise<UpdateSource> {
  const source = await readUpdateSource(sourceFile)
  if (source !== null) return source
  throw new RequestProblem(
    'unprocessable',
    'This build has no update source: get a newer version where you got it (`git pull` in a checkout).',
  )
}
