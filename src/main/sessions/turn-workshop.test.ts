import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { createTurnWorkshop } from './turn-workshop.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-workshop-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function open() {
  const folder = join(root, 'work')
  mkdirSync(folder)
  execFileSync('git', ['init', '-q', folder])
  const workshop = createTurnWorkshop({
    ...{ keptIn: join(root, 'kept'), workspace: folder, contain: () => undefined, cache: null, version: '0' },
    ...{ clock: systemClock, log: { info: () => {}, warn: () => {}, error: () => {} } },
  })
  return { folder, workshop }
}

it('removes the trees that no session needs, and keeps the one that is needed', async () => {
  const { folder, workshop } = open()
  const trees: string[] = []
  for (const text of ['one', 'two', 'three']) {
    writeFileSync(join(folder, 'a.txt'), text)
    trees.push((await workshop.treeNow(folder)) ?? '')
  }
  const known = () => Promise.all(trees.map((tree) => workshop.has(folder, tree)))
  const [first = ''] = trees
  await workshop.tidy([first, 'f'.repeat(40)], '1.day.ago')
  expect(await known()).toEqual([true, true, true])
  await workshop.tidy([first, 'f'.repeat(40)], 'now')
  // The last tree read is in the index.
  expect(await known()).toEqual([true, false, true])
}, 60_000)

it('distinguishes white space from other changes between two trees', async () => {
  const { folder, workshop } = open()
  const treeOf = async (text: string) => {
    writeFileSync(join(folder, 'a.js'), text)
    return (await workshop.treeNow(folder)) ?? ''
  }
  const first = await treeOf('a()\nb()\n')
  expect(await workshop.isBlankEdit(folder, first, await treeOf('a()\n\nb() \n'))).toBe(true)
  expect(await workshop.isBlankEdit(folder, first, await treeOf('a()\nc()\n'))).toBe(false)
  // A liar who is paid for each new tree creates an empty file, changes a mode or adds blank lines in many files.
  for (let at = 0; at < 120; at++) writeFileSync(join(folder, `b${at}.js`), at === 0 ? '' : 'c()\n')
  const many = await treeOf('a()\n\nb()\n')
  for (let at = 1; at < 120; at++) writeFileSync(join(folder, `b${at}.js`), 'c()\n\n')
  chmodSync(join(folder, 'b0.js'), 0o755)
  writeFileSync(join(folder, 'c.js'), '')
  expect(await workshop.isBlankEdit(folder, many, await treeOf('a()\nb()\n'))).toBe(true)
  expect(await workshop.isBlankEdit(folder, first, many)).toBe(false)
  // An honest agent changes a letter in a text of another encoding, or removes a file.
  writeFileSync(join(folder, 'c.js'), Buffer.of(0x27, 0xe9, 0x27))
  const latin = await treeOf('a()\n')
  writeFileSync(join(folder, 'c.js'), Buffer.of(0x27, 0xe8, 0x27))
  expect(await workshop.isBlankEdit(folder, latin, await treeOf('a()\n'))).toBe(false)
  rmSync(join(folder, 'c.js'))
  expect(await workshop.isBlankEdit(folder, latin, await treeOf('a()\n'))).toBe(false)
  expect(await workshop.isBlankEdit(folder, 'f'.repeat(40), first)).toBe(false)
}, 60_000)
