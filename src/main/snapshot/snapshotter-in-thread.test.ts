import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Contain, ProcessStart } from '../ports/containment.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import { beginningWith } from '../process/contained-beginning.ts'
import { createThreads, type Threads } from '../process/threads.ts'
import { createSnapshotter } from './snapshotter.ts'
import { createSnapshotterInThread } from './snapshotter-in-thread.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

let folder: ScratchFolder
let threads: Threads

beforeEach(() => {
  folder = createScratchFolder()
  threads = createThreads({
    script: join(import.meta.dirname, '../worker.ts'),
    size: 1,
    workerData: { dataDirectory: folder.path },
    log: silentLog,
  })
})
afterEach(async () => {
  await threads.stop()
  folder.dispose()
})

/** Calls every method of the port for one attempt. */
async function account(snapshotter: Snapshotter, act: () => void) {
  const before = await snapshotter.take(folder.path)
  const protectedFiles = await snapshotter.takeProtected(before, ['tests/**'])
  const texts = await snapshotter.keepTexts(before)
  const unsaved = await snapshotter.unsaved(before)
  act()
  const after = await snapshotter.take(folder.path)
  const difference = await snapshotter.difference(before, after)
  return {
    kind: before.kind,
    isProtected: [protectedFiles.isProtected('tests/a.test.js'), protectedFiles.isProtected('a.txt')],
    unsaved,
    difference,
    dirty: [await snapshotter.uncommitted(before), await snapshotter.uncommitted(after)],
    unchanged: [await snapshotter.unchanged(before), await snapshotter.unchanged(after)],
    protectedChanges: await snapshotter.protectedChanges(protectedFiles, difference),
    patch: await snapshotter.patch(texts, difference, 10_000),
    filesBefore: await snapshotter.filesBefore(texts, difference),
    committed: await snapshotter.committed(before, difference),
    measurable: await snapshotter.measurable(folder.path, ['a.txt', 'ignored/x', '../out'], difference),
  }
}

function seed(): void {
  folder.write('a.txt', 'one\n')
  folder.write('b.txt', 'two\n')
  folder.write('tests/a.test.js', "test('a', () => {})\ntest('b', () => {})\n")
  folder.write('.gitignore', 'ignored/\n')
}

function work(): void {
  folder.write('a.txt', 'changed\n')
  folder.remove('b.txt')
  folder.write('new.txt', 'new\n')
  folder.write('tests/a.test.js', "test('a', () => {})\n")
}

function undo(): void {
  folder.remove('new.txt')
  seed()
}

describe('a snapshotter in a thread', () => {
  it.each(['repository', 'folder'])('answers like one on the event loop, in a %s', async (where) => {
    seed()
    if (where === 'repository') {
      folder.makeRepository()
      folder.commitAll()
    }
    const onTheLoop = await account(createSnapshotter({ log: silentLog }), work)
    undo()
    const place = { directory: folder.path, exclude: [] }
    const inThread = await account(createSnapshotterInThread(threads, place), work)
    expect(inThread).toEqual(onTheLoop)
    expect(inThread.difference.deleted).toEqual(['b.txt'])
  })

  it('sandboxes git as the host does', async () => {
    seed()
    folder.makeRepository()
    folder.commitAll()
    const wrapped: string[] = []
    const wrap = async (start: ProcessStart): Promise<ProcessStart> => {
      wrapped.push(start.command.join(' '))
      return { ...start, command: [...beginningWith('/bin/sh'), ...start.command] }
    }
    const contain: Contain = async () => ({ kind: 'contained', containment: { means: 'unshare', wrap } })
    const place = { directory: folder.path, exclude: [], contain }
    const { difference, kind } = await account(createSnapshotterInThread(threads, place), work)
    expect(kind).toBe('git')
    expect(difference.deleted).toEqual(['b.txt'])
    expect(wrapped).toContain('/bin/sh')
  })

  it('accepts any answer from the host, and keeps functions on the host’s side', async () => {
    seed()
    folder.makeRepository()
    folder.commitAll()
    const contain: Contain = async () => ({
      kind: 'open',
      apart: async () => ({ unread: [], unwritten: [] }),
    })
    const place = { directory: folder.path, exclude: [], contain }
    const { difference } = await account(createSnapshotterInThread(threads, place), work)
    expect(difference.deleted).toEqual(['b.txt'])
  })

  it('reports that its thread has ended since the snapshot, and continues with the next', async () => {
    folder.write('a.txt', 'one\n')
    const snapshotter = createSnapshotterInThread(threads, { directory: folder.path, exclude: [] })
    const before = await snapshotter.take(folder.path)
    await threads.stop()
    const after = await snapshotter.take(folder.path)
    await expect(snapshotter.unsaved(before)).resolves.toBeDefined()
    await snapshotter.done()
    await expect(snapshotter.difference(before, after)).rejects.toThrow('has ended')
  })
})
