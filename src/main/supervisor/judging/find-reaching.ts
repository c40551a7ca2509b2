import { protectionBy } from '../../../core/custody/protected.ts'
import { LEADS_AWAY, mayReach, reachesFor, UNREAD } from '../../../core/custody/reaching.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import { groundOf, readBeneath } from '../../files/beneath.ts'
import type { BaseDifference, ReachingSource } from '../../ports/custody.ts'
import type { KeptTexts } from '../../ports/snapshotter.ts'
import type { CycleContext, PlannedAttempt } from '../cycle-context.ts'
import { findLinksAway } from './links-away.ts'
import { findLoaded } from './loaded-sources.ts'

const MAX_SOURCE_BYTES = 1024 * 1024
/** How many sources are read for one attempt. */
const MAX_SOURCES = 5000

interface ChangedSource {
  /** `null`: the file is new. */
  readonly from: string | null
  readonly to: string
}

/**
 * Records sources that this run made tamper with what runs their tests, and new links instead of sources to files that no difference
 * shows. Returns all of them since an agent first ran, except accepted ones. What a source already did before does not count; tests and
 * scripts are custody's job.
 */
export async function findReaching(
  context: CycleContext,
  [attempt]: readonly PlannedAttempt[],
  textsBefore: KeptTexts,
  difference: FileDifference,
  differences: readonly BaseDifference[],
): Promise<readonly ReachingSource[]> {
  const { ports, config } = context
  const sources = changedSources(difference)
  const links = attempt === undefined ? [] : await findLinksAway(ports, difference)
  if (sources.length + links.length > 0 && attempt !== undefined) {
    const isProtected = protectionBy([...config.interventions.protected, 'default'])
    const guarded = new Set(differences.map(({ path }) => path))
    const found = links
      .filter((path) => !guarded.has(path) && !isProtected(path))
      .map((path): { path: string; words: readonly string[] } => ({ path, words: [LEADS_AWAY] }))
    let loaded: ReadonlySet<string> | null = null
    const [firstUnread] = sources.slice(MAX_SOURCES)
    if (firstUnread !== undefined) found.push({ path: firstUnread.to, words: [UNREAD] })
    for (const source of sources.slice(0, MAX_SOURCES)) {
      if (guarded.has(source.to) || isProtected(source.to)) continue
      const { always, ifLoaded } = await newlyReached(ports, source, textsBefore)
      if (ifLoaded.length > always.length) loaded ??= await findLoaded(context)
      const words = loaded?.has(source.to) === true ? ifLoaded : always
      if (words.length > 0) found.push({ path: source.to, words })
    }
    await ports.custody.noteReaching(attempt.attemptId, found)
  }
  return ports.custody.reaching()
}

function changedSources({ added, modified, renamed }: FileDifference): readonly ChangedSource[] {
  return [
    ...added.map((path) => ({ from: null, to: path })),
    ...modified.map((path) => ({ from: path, to: path })),
    ...renamed,
  ].filter(({ to }) => mayReach(to))
}

interface NewlyReached {
  readonly always: readonly string[]
  /** The same, plus what only programs may do. */
  readonly ifLoaded: readonly string[]
}

async function newlyReached(
  { directory, snapshotter }: CycleContext['ports'],
  { from, to }: ChangedSource,
  textsBefore: KeptTexts,
): Promise<NewlyReached> {
  const reading = await readBeneath(groundOf(directory), to, MAX_SOURCE_BYTES)
  const text = reading.ok ? reading.bytes.toString('utf8') : ''
  // A long source is data, or was made by a program, unless a check loads it.
  const isLong = !reading.ok && reading.code === 'TOO_LARGE'
  const ifLoaded = isLong ? [UNREAD] : reachesFor(to, text, true)
  const now = { always: reachesFor(to, text), ifLoaded }
  if (ifLoaded.length === 0 || from === null) return now
  const alone = { added: [], modified: [from], deleted: [], renamed: [], headMoved: null, incomplete: null }
  const earlier = await snapshotter.filesBefore(textsBefore, alone)
  const former = earlier?.write.find(({ path }) => path === from)?.bytes.toString('utf8')
  // The earlier text is unknown: it may always have contained this.
  if (former === undefined) return { always: [], ifLoaded: [] }
  const before = former.length > MAX_SOURCE_BYTES ? [UNREAD] : reachesFor(from, former, true)
  const isNew = (word: string): boolean => !before.includes(word)
  return { always: now.always.filter(isNew), ifLoaded: ifLoaded.filter(isNew) }
}
