import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../ports/log.ts'
import {
  addWorkspace,
  labelWorkspace,
  listWorkspaces,
  moveWorkspace,
  readRegistry,
  removeWorkspace,
  restoreWorkspace,
} from './registry.ts'

let root: string
let data: string
let folder: string
let logged: string[]
const log: Log = {
  info: (message) => logged.push(message),
  warn: (message) => logged.push(message),
  error: (message) => logged.push(message),
}
const now = Date.UTC(2026, 0, 31, 12)

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-registry-')))
  data = join(root, 'data')
  folder = await makeFolder('Größe & Co.')
  logged = []
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function makeFolder(name: string): Promise<string> {
  const path = join(root, name)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'HEARTBEAT.md'), '## Tasks\n')
  return path
}

describe('adding a folder', () => {
  it('registers it under a readable id', async () => {
    const workspace = await addWorkspace(data, folder, now)
    expect(workspace).toEqual({
      id: expect.stringMatching(/^gro-e-co-[0-9a-f]{6}$/),
      name: 'Größe & Co.',
      path: folder,
      addedAt: '2026-01-31T12:00:00.000Z',
    })
    expect(await listWorkspaces(data, log)).toEqual([workspace])
    expect(logged).toEqual([])
  })

  it('returns the same workspace if it is added again under another path', async () => {
    const workspace = await addWorkspace(data, folder, now)
    await symlink(folder, join(root, 'link'))
    const paths = [folder, `${folder}/`, relative(process.cwd(), folder), join(root, 'link')]
    for (const path of paths) expect(await addWorkspace(data, path, now + 1)).toEqual(workspace)
    expect(await listWorkspaces(data, log)).toHaveLength(1)
  })

  it('creates a second workspace for another folder of the same name', async () => {
    const other = await makeFolder('deeper/Größe & Co.')
    const ids = [(await addWorkspace(data, folder, now)).id, (await addWorkspace(data, other, now)).id]
    expect(new Set(ids).size).toBe(2)
  })

  it.each([
    ['the folder does not exist', () => join(root, 'nowhere'), /There is no folder .*nowhere/],
    [
      'it is a file',
      () => join(folder, 'HEARTBEAT.md'),
      /is a file\. Name the folder that contains HEARTBEAT\.md/,
    ],
    ['it has no contract', () => root, /There is no .*HEARTBEAT\.md\. Write your tasks there/],
  ])('is refused if %s, and nothing is written', async (_name, path, message) => {
    await expect(addWorkspace(data, path(), now)).rejects.toMatchObject({
      name: 'RequestProblem',
      kind: 'unprocessable',
      message: expect.stringMatching(message),
    })
    await expect(readdir(data)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is refused if it contains our own records, under any path, but not if it is next to them', async () => {
    const link = join(root, 'link')
    await symlink(data, link)
    for (const name of ['data', 'data/workspaces', 'data/workspaces/x']) {
      const own = await makeFolder(name)
      await expect(addWorkspace(link, own, now)).rejects.toMatchObject({
        kind: 'unprocessable',
        message: `${own} contains Pulseward's own records. Choose a folder outside ${data}.`,
      })
    }
    for (const name of ['data/sample', 'data/workspaces-of-mine']) {
      expect(await addWorkspace(link, await makeFolder(name), now)).toMatchObject({ path: join(root, name) })
    }
  })

  it('is refused if the data folder is not writable', async () => {
    await writeFile(data, 'a file in its place')
    await expect(addWorkspace(data, folder, now)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('Cannot create'),
    })
  })
})

describe('the list', () => {
  it('is empty without a data folder', async () => {
    expect(await listWorkspaces(data, log)).toEqual([])
  })

  it('is in the order in which they were added', async () => {
    const late = await addWorkspace(data, folder, now + 5)
    const early = await addWorkspace(data, await makeFolder('zeta'), now)
    expect(await listWorkspaces(data, log)).toEqual([early, late])
  })

  it.each([
    ['invalid JSON', '{"id": '],
    ['of another shape', '{"id": 3}'],
    ["another workspace's", '{"id":"other-123456","path":"/x","addedAt":"2026-01-01T00:00:00Z"}'],
  ])('sets a workspace.json that is %s aside, says so and continues', async (_name, text) => {
    const good = await addWorkspace(data, folder, now)
    const bad = await addWorkspace(data, await makeFolder('bad'), now)
    const badFolder = join(data, 'workspaces', bad.id)
    await mkdir(join(badFolder, 'ledger'))
    await writeFile(join(badFolder, 'workspace.json'), text)
    expect(await listWorkspaces(data, log)).toEqual([good])
    expect(logged).toEqual([expect.stringContaining('cannot be used')])
    const aside = (await readdir(badFolder)).find((name) => name.includes('.corrupt-'))
    expect(aside).toMatch(/^workspace\.json\.corrupt-/)
    expect(await readFile(join(badFolder, aside ?? ''), 'utf8')).toBe(text)
    expect((await readRegistry(data)).unreadable, 'and at each later start').toMatchObject([
      { id: bad.id, name: 'bad', reason: expect.stringContaining('pulseward add DIR') },
    ])
    expect(await addWorkspace(data, join(root, 'bad'), now)).toEqual(bad)
    expect((await readRegistry(data)).unreadable).toEqual([])
  })
})

describe('removing a workspace', () => {
  it('keeps its record, leaves the folder alone, and lets it be added again', async () => {
    const { id } = await addWorkspace(data, folder, now)
    await writeFile(join(data, 'workspaces', id, 'ledger'), 'recorded')
    await removeWorkspace(data, id, now)
    expect(await listWorkspaces(data, log)).toEqual([])
    const kept = join(data, 'workspaces', `.removed-${id}-2026-01-31T12-00-00-000Z`)
    expect(await readFile(join(kept, 'ledger'), 'utf8')).toBe('recorded')
    expect(await readdir(folder)).toEqual(['HEARTBEAT.md'])
    expect((await addWorkspace(data, folder, now)).id).toBe(id)
    expect(await readdir(join(data, 'workspaces', id))).toEqual(['workspace.json'])
  })

  it.each(['nobody-123456', '../data', '.', ''])('%j is refused', async (id) => {
    await addWorkspace(data, folder, now)
    await expect(removeWorkspace(data, id, now)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await listWorkspaces(data, log)).toHaveLength(1)
  })
})

describe('restoring a removed workspace', () => {
  it('brings back its own record, not that of a workspace whose id begins the same', async () => {
    const { id } = await addWorkspace(data, folder, now)
    await removeWorkspace(data, id, now)
    const other = join(data, 'workspaces', `.removed-${id}-3-2026-01-31T12-00-00-000Z`)
    await mkdir(other)
    expect(await restoreWorkspace(data, id)).toMatchObject({ id, path: folder })
    expect(await readdir(other)).toEqual([])
    await expect(restoreWorkspace(data, id)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('is refused once its folder was added again, also under another id', async () => {
    const { id } = await addWorkspace(data, folder, now)
    const there = await makeFolder('elsewhere')
    await moveWorkspace(data, id, there)
    await removeWorkspace(data, id, now)
    const again = await addWorkspace(data, there, now)
    expect(again.id).not.toBe(id)
    await expect(restoreWorkspace(data, id)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await listWorkspaces(data, log)).toEqual([again])
  })
})

describe('a folder that was moved', () => {
  it('stays the same workspace, even when it is added at its new path', async () => {
    const { id, addedAt } = await addWorkspace(data, folder, now)
    const there = await makeFolder('elsewhere')
    const moved = { id, name: 'elsewhere', path: there, addedAt }
    expect(await moveWorkspace(data, id, there)).toMatchObject(moved)
    expect(await listWorkspaces(data, log)).toEqual([expect.objectContaining(moved)])
    expect(await addWorkspace(data, there, now)).toMatchObject(moved)
  })

  it('leaves its old path to another workspace, and can come back', async () => {
    const first = await addWorkspace(data, folder, now)
    const there = await makeFolder('elsewhere')
    await moveWorkspace(data, first.id, there)
    const second = await addWorkspace(data, folder, now + 1)
    expect(second).toMatchObject({ id: `${first.id}-2`, path: folder })
    expect(await addWorkspace(data, folder, now + 2)).toMatchObject(second)
    await expect(moveWorkspace(data, first.id, folder)).rejects.toMatchObject({ kind: 'conflict' })
    await removeWorkspace(data, second.id, now)
    expect(await moveWorkspace(data, first.id, folder)).toMatchObject({ id: first.id, path: folder })
  })

  it('keeps the name and tags that it was given', async () => {
    const workspace = await addWorkspace(data, folder, now)
    await labelWorkspace(data, workspace, { name: 'The back end', tags: ['work'] })
    const there = await makeFolder('elsewhere')
    expect(await moveWorkspace(data, workspace.id, there)).toMatchObject({
      name: 'The back end',
      tags: ['work'],
    })
  })

  it.each([
    ['a missing folder', () => join(root, 'nowhere'), 'There is no folder'],
    ['a file', () => join(folder, 'HEARTBEAT.md'), 'is a file'],
    ['a folder without a contract', () => root, 'HEARTBEAT.md'],
    ['the data folder', () => join(data, 'workspaces'), "Pulseward's own records"],
  ])('cannot be moved to %s', async (_, path, words) => {
    const { id } = await addWorkspace(data, folder, now)
    await expect(moveWorkspace(data, id, path())).rejects.toThrow(words)
    expect(await listWorkspaces(data, log)).toMatchObject([{ path: folder }])
  })
})
