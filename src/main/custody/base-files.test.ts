import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withoutDescriptors } from '../testing/faults/without-descriptors.ts'
import { type BaseState, createBaseFiles } from './base-files.ts'

const STATE: BaseState = {
  top: '/work',
  base: new Map([['run.sh', { content: 'abc', state: 'file' }]]),
  left: new Map(),
  answers: new Map(),
  programs: new Map(),
}
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pulseward-base-files-'))
})
afterEach(() => rm(directory, { recursive: true }))

const asides = async (): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.startsWith('base.json.corrupt-'))

test('moves a baseline aside that is not a document or not a file, and keeps its contents', async () => {
  await writeFile(join(directory, 'base.json'), 'what?')
  expect(await createBaseFiles(directory).read()).toBeNull()
  const [aside = ''] = await asides()
  expect(await readFile(join(directory, aside), 'utf8')).toBe('what?')
  await mkdir(join(directory, 'base.json'))
  expect(await createBaseFiles(directory).read()).toBeNull()
  expect(await asides()).toHaveLength(2)
})

test.skipIf(process.platform === 'win32')(
  'takes no new baseline if the machine cannot read the old one right now',
  async () => {
    await createBaseFiles(directory).write(STATE)
    const call = `it.createBaseFiles(${JSON.stringify(directory)}).read()`
    const said = await withoutDescriptors(new URL('./base-files.ts', import.meta.url), call)
    expect(said).toContain('too many open files')
    expect(await asides()).toEqual([])
    expect(await createBaseFiles(directory).read()).toMatchObject({ top: '/work' })
  },
)
