import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listFolders } from './folders.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pulseward-folders-'))
  for (const name of ['src', 'Sites', 'notes', '.hidden', 'src/app']) await mkdir(join(home, name))
  await writeFile(join(home, 'src/app/HEARTBEAT.md'), '')
  await writeFile(join(home, 'stray-file'), '')
})

afterEach(() => rm(home, { recursive: true, force: true }))

const names = async (typed: string) => (await listFolders(typed, home)).folders.map(({ name }) => name)

it('lists the home folder for empty input, without files and hidden folders', async () => {
  expect(await names('')).toEqual(['notes', 'Sites', 'src'])
  expect(await names('~')).not.toContain('stray-file')
  expect(await listFolders('~/', home)).toMatchObject({ parent: home + sep, isCut: false, problem: null })
})

it('lists completions of a partial name, ignoring case', async () => {
  expect(await names(join(home, 's'))).toEqual(['Sites', 'src'])
  expect(await names('~/.h')).toEqual(['.hidden'])
  expect(await names(join(home, 'nothing-like-it'))).toEqual([])
})

it('marks a folder that has a contract', async () => {
  const { folders } = await listFolders(`${join(home, 'src')}${sep}`, home)
  expect(folders).toEqual([{ name: 'app', path: join(home, 'src/app'), hasContract: true }])
})

it('reports a missing folder, and lists nothing', async () => {
  const listing = await listFolders(join(home, 'nowhere', 'x'), home)
  expect(listing).toMatchObject({ folders: [], problem: expect.stringContaining('nowhere') })
})

it('lists part of a folder with many folders, and says so', async () => {
  await Promise.all(Array.from({ length: 130 }, (_, index) => mkdir(join(home, 'notes', `n${index}`))))
  const listing = await listFolders(`${join(home, 'notes')}${sep}`, home)
  expect(listing.folders).toHaveLength(100)
  expect(listing.folders[2]?.name).toBe('n2')
  expect(listing.isCut).toBe(true)
})

it.skipIf(process.platform === 'win32')('lists links to folders, but not broken links', async () => {
  await symlink(join(home, 'src'), join(home, 'linked'))
  await symlink(join(home, 'gone'), join(home, 'lost'))
  expect(await names(join(home, 'l'))).toEqual(['linked'])
})
