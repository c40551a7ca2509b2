import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyIndex } from './copy-index.ts'
import { createScratchFolder } from './testing/scratch-folder.ts'

it('never makes the copy newer than the index, so git still reads files that changed in its last second', async () => {
  const folder = createScratchFolder()
  const [index, copy] = [join(folder.path, 'index'), join(folder.path, 'copy')]
  writeFileSync(index, 'DIRC')
  utimesSync(index, 1_000_000.75, 1_000_000.75)
  await copyIndex(index, copy)
  expect(statSync(copy).mtimeMs).toBe(1_000_000_000)
  folder.dispose()
})
