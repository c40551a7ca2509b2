import { afterEach, expect, it } from 'vitest'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

/* The cost of a snapshot of a repository whose index an agent has stuffed with names must be linear in their number, on any machine. */

const folders: ScratchFolder[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) folder.dispose()
})

/** Returns this process's processor time, in ms, for a snapshot before and after the index got this many names, and what it found. */
async function lookAround(names: number): Promise<{ readonly ms: number; readonly deleted: number }> {
  const folder = createScratchFolder()
  folders.push(folder)
  folder.makeRepository({ 'a.txt': 'alpha' })
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  folder.sh(
    `id=$(git hash-object -w a.txt); seq ${names} | sed "s|.*|100644 $id\\tmade/&.txt|" | git update-index --index-info; echo bravo > a.txt`,
  )
  const start = process.cpuUsage()
  const { modified, deleted } = await snapshotter.difference(before, await snapshotter.take(folder.path))
  const { user, system } = process.cpuUsage(start)
  await snapshotter.close()
  expect(modified, 'what was done is found').toEqual(['a.txt'])
  return { ms: (user + system) / 1000, deleted: deleted.length }
}

it('60,000 names without files take linear time at most, and count as no change', async () => {
  // Warm up what is only done once.
  await lookAround(1)
  const few = await lookAround(6_000)
  const many = await lookAround(60_000)
  expect([few.deleted, many.deleted]).toEqual([0, 0])
  // Ten times as many names must take about ten times as long; in quadratic time it would be a hundred times.
  expect(many.ms).toBeLessThan(20 * Math.max(few.ms, 50))
})
