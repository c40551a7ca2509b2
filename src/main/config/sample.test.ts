import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseWorkspaceConfig } from './parse-config.ts'
import { writeSample } from './sample.ts'

const resources = join(import.meta.dirname, '../../../resources/sample')
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulseward-sample-'))
})

afterEach(() => rm(root, { recursive: true, force: true }))

describe('the sample', () => {
  it.each(['new', 'deep/er/new', 'empty'])('is written completely into %s', async (name) => {
    await mkdir(join(root, 'empty'))
    await writeSample(join(root, name), resources)
    const written = await readdir(join(root, name), { recursive: true })
    expect(written.sort()).toEqual((await readdir(resources, { recursive: true })).sort())
  })

  it('has a configuration without problems', async () => {
    expect(parseWorkspaceConfig(await readFile(join(resources, 'pulseward.toml'), 'utf8'))).toMatchObject({
      ok: true,
    })
  })

  it('is never written over existing files', async () => {
    await writeFile(join(root, 'mine.txt'), 'mine')
    await expect(writeSample(root, resources)).rejects.toMatchObject({
      name: 'RequestProblem',
      kind: 'conflict',
      message: `${root} is not empty; choose another folder.`,
    })
    expect(await readdir(root)).toEqual(['mine.txt'])
  })

  it('is never written over a file at its path', async () => {
    await writeFile(join(root, 'file'), '')
    await expect(writeSample(join(root, 'file'), resources)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('Cannot write'),
    })
  })
})
