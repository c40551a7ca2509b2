import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ContentStore, createContentStore, type SavedFile } from './content-store.ts'
import { filesBeforeAll } from './files-before.ts'
import type { UndoDocument } from './undo-document.ts'

let root: string
let directory: string
let store: ContentStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-before-'))
  directory = join(root, 'w')
  await mkdir(directory)
  store = createContentStore(join(root, 'contents'))
})
afterEach(() => rm(root, { recursive: true }))

const NOTHING = { write: [], remove: [] }

const absent = (path: string): SavedFile => ({ path, kind: 'absent' })

async function holding(path: string, text: string): Promise<SavedFile> {
  const hash = await store.keep(Buffer.from(text))
  if (hash === null) throw new Error('It is not kept')
  return { path, kind: 'file', hash, isExecutable: false }
}

async function leave(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true })
  await writeFile(join(directory, path), text)
}

const run = (before: SavedFile[], after: SavedFile[], undone: string[] | null = null): UndoDocument => ({
  $schema: 'pulseward.undo.v1',
  attemptIds: ['a'],
  keptAtMs: 0,
  before,
  after,
  left: [],
  undone,
})

/** Returns the texts to write and the paths to remove, for documents from newest to oldest. */
async function stoodBefore(...documents: UndoDocument[]) {
  const files = await filesBeforeAll({ directory, store }, documents, NOTHING)
  if (files === null) return null
  return [files.write.map(({ path, bytes }) => `${path}: ${bytes}`), files.remove]
}

describe('files as they were before earlier attempts', () => {
  it('are as the oldest of several attempts found them, if nothing changed between the attempts', async () => {
    await leave('a.txt', 'three')
    const [one, two, three] = [
      await holding('a.txt', 'one'),
      await holding('a.txt', 'two'),
      await holding('a.txt', 'three'),
    ]
    expect(await stoodBefore(run([two], [three]), run([one], [two]))).toEqual([['a.txt: one'], []])
  })

  it('go back as far as the last change by someone else', async () => {
    await leave('a.txt', 'three')
    const [one, two, three] = [
      await holding('a.txt', 'one'),
      await holding('a.txt', 'two'),
      await holding('a.txt', 'three'),
    ]
    const between = await holding('a.txt', 'the operator’s')
    expect(await stoodBefore(run([between], [three]), run([one], [two]))).toEqual([
      ['a.txt: the operator’s'],
      [],
    ])
    await leave('a.txt', 'his too')
    expect(await stoodBefore(run([between], [three]), run([one], [two]))).toBeNull()
  })

  it('include the removal of files that the attempts created', async () => {
    await leave('new.txt', 'new')
    expect(await stoodBefore(run([absent('new.txt')], [await holding('new.txt', 'new')]))).toEqual([
      [],
      ['new.txt'],
    ])
  })

  it('include a run if undoing it restored nothing, but not if it restored something', async () => {
    const document = (undone: string[]) => run([absent('new.txt')], [file], undone)
    await leave('new.txt', 'new')
    const file = await holding('new.txt', 'new')
    expect(await stoodBefore(document([]))).toEqual([[], ['new.txt']])
    expect(await stoodBefore(document(['new.txt']))).toBeNull()
  })

  it('leave out a link that was there, because it may lead anywhere', async () => {
    await leave('a.txt', 'mine')
    const link: SavedFile = { path: 'a.txt', kind: 'link', target: '/etc/passwd' }
    expect(await stoodBefore(run([link], [await holding('a.txt', 'mine')]))).toEqual([[], []])
    await symlink('a.txt', join(directory, 'b'))
    expect(await stoodBefore(run([absent('b')], [{ path: 'b', kind: 'link', target: 'a.txt' }]))).toEqual([
      [],
      ['b'],
    ])
  })

  it('are unknown if there are more than 500 files, or more than 4 MiB', async () => {
    const paths = Array.from({ length: 501 }, (_, index) => `made/${index}.txt`)
    for (const path of paths) await leave(path, '')
    const empty = await holding('', '')
    const made = (some: string[]) =>
      run(
        some.map(absent),
        some.map((path) => ({ ...empty, path })),
      )
    expect(await stoodBefore(made(paths))).toBeNull()
    expect((await stoodBefore(made(paths.slice(1))))?.[1]).toHaveLength(500)
    const large = await Promise.all(
      ['one', 'two', 'six'].map(async (path) => holding(path, `${path}${'x'.repeat(2 ** 21 - 3)}`)),
    )
    const emptied = large.map(({ path }) => ({ ...empty, path }))
    for (const { path } of emptied) await leave(path, '')
    expect(await stoodBefore(run(large, emptied))).toBeNull()
    expect((await stoodBefore(run(large.slice(1), emptied.slice(1))))?.[0]).toHaveLength(2)
  })
})
