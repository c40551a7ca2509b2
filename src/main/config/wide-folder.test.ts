import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { warningOfWideFolder } from './wide-folder.ts'

let root: string

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-wide-')))
  await mkdir(join(root, 'homes/anna/src/backend'), { recursive: true })
  await mkdir(join(root, 'homes/anna/.pulseward/sample'), { recursive: true })
  await mkdir(join(root, 'homes/ann'), { recursive: true })
  await mkdir(join(root, 'elsewhere/data'), { recursive: true })
  await symlink(join(root, 'homes'), join(root, 'link'))
})

afterAll(() => rm(root, { recursive: true, force: true }))

const warningFor = (folder: string, data = 'homes/anna/.pulseward') =>
  warningOfWideFolder(join(root, folder), {
    // The path leads through a link.
    homeDirectory: join(root, 'link/anna'),
    dataDirectory: join(root, data),
  })

describe('a folder that contains more than one agent’s work', () => {
  it('gets a warning that says what it means, and which folder to choose instead', async () => {
    expect(await warningFor('homes/anna')).toBe(
      `${root}/homes/anna is your home folder. The agent would work on all of it, each heartbeat would scan all of it, and what other programs, and Pulseward in its own records, change in it would count as the agent's work. Choose the folder of one project instead, such as ${root}/homes/anna/src/backend.`,
    )
    expect(await warningFor('/../../../../../../..')).toContain('/ is the top of the file system. ')
    expect(await warningFor('homes')).toContain('/homes contains your home folder. ')
    expect(await warningFor('elsewhere', 'elsewhere/data')).toContain(
      "/elsewhere contains Pulseward's data folder. ",
    )
    expect(await warningFor('homes', 'elsewhere/data')).toContain('and what other programs change in it')
  })

  it.each([
    'homes/anna/src',
    'homes/anna/src/backend',
    'homes/ann',
    'homes/anna/.pulseward/sample',
    'elsewhere',
  ])('gets no warning: %s', async (folder) => {
    expect(await warningFor(folder)).toBeNull()
  })
})
