import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

/** Returns the patch of what `act` did. */
async function patchOf(act: () => void, maxBytes = 100_000): Promise<string> {
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  const texts = await snapshotter.keepTexts(before)
  act()
  const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
  return snapshotter.patch(texts, difference, maxBytes)
}

test('shows the lines of committed, uncommitted, new and deleted files, whether the agent commits them or not', async () => {
  folder.makeRepository({ 'a.txt': 'one\ntwo\n', 'b.txt': 'old\n', 'gone.txt': 'bye\n' })
  folder.write('b.txt', 'uncommitted\n')
  const patch = await patchOf(() => {
    folder.write('a.txt', 'one\n2\n')
    folder.write('b.txt', 'of the agent\n')
    folder.write('ünï new.txt', 'new\n')
    folder.remove('gone.txt')
    folder.commitAll()
  })
  for (const line of [
    '# changed a.txt',
    '-two',
    '+2',
    '# new ünï new.txt',
    '+new',
    '# deleted gone.txt',
    '-bye',
  ])
    expect(patch.split('\n')).toContain(line)
  expect(patch).toContain('-uncommitted\n+of the agent\n')
  expect(patch).not.toContain('-old')
})

test('names binary, large and linked files without showing them, and reads nothing outside', async () => {
  folder.makeRepository({ 'keep.txt': '' })
  const patch = await patchOf(() => {
    folder.write('image.bin', Buffer.from([0, 1, 2]))
    folder.write('large.txt', 'x'.repeat(300 * 1024))
    folder.link('link', '/etc/hostname')
  })
  expect(patch).toContain('# new image.bin\n# its text is not shown: it is binary\n')
  expect(patch).toContain('# new large.txt\n# its text is not shown: it has 307200 bytes\n')
  expect(patch).toContain("# new link\n# its text is not shown: it can't be read\n")
})

test('leaves out what does not fit, and says so', async () => {
  folder.makeRepository({ 'a.txt': '' })
  const patch = await patchOf(() => {
    for (let index = 0; index < 150; index += 1) folder.write(`f${index}.txt`, 'line\n'.repeat(50))
  }, 5_000)
  expect(patch.length).toBeLessThan(7_000)
  expect(patch).toMatch(/# \d+ more files are left out\n$/)
})

test('does not let a name with a line break pose as a line of the difference', async () => {
  folder.makeRepository({ 'a.txt': '' })
  const patch = await patchOf(() => folder.write('x\n+evil', 'content\n'))
  expect(patch.split('\n')).not.toContain('+evil')
})

test('knows the earlier files of a plain folder if they are few and small', async () => {
  folder.write('a.txt', 'one\n')
  folder.write('gone.txt', 'bye\n')
  folder.write('large.txt', 'x'.repeat(1100 * 1024))
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  const texts = await snapshotter.keepTexts(before)
  const filesBefore = async () =>
    snapshotter.filesBefore(texts, await snapshotter.difference(before, await snapshotter.take(folder.path)))
  folder.write('a.txt', 'two\n')
  folder.write('new.txt', 'new\n')
  folder.remove('gone.txt')
  expect(await filesBefore()).toEqual({
    write: [
      { path: 'a.txt', bytes: Buffer.from('one\n'), isExecutable: false },
      { path: 'gone.txt', bytes: Buffer.from('bye\n'), isExecutable: false },
    ],
    remove: ['new.txt'],
  })
  folder.write('large.txt', 'y')
  expect(await filesBefore()).toBeNull()
})

test('a link is not restored as a file that contains its target path', async () => {
  folder.makeRepository({ 'a.txt': 'one\n' })
  folder.sh('ln -s a.txt link; git add -A; git commit -qm x')
  const snapshotter = createSnapshotter({ log: silentLog })
  const before = await snapshotter.take(folder.path)
  const texts = await snapshotter.keepTexts(before)
  folder.sh('rm link; echo two > link')
  const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
  expect(difference.modified).toEqual(['link'])
  expect(await snapshotter.filesBefore(texts, difference)).toBeNull()
})

test('keeps texts only as the snapshot found them, even if a program writes to the file in the meantime', async () => {
  const snapshotter = createSnapshotter({ log: silentLog })
  const look = async (meanwhile = () => {}) => {
    const before = await snapshotter.take(folder.path)
    meanwhile()
    const texts = await snapshotter.keepTexts(before)
    return async () => {
      folder.write('a.txt', 'of the agent\n')
      folder.write('b.txt', 'of the agent\n')
      const difference = await snapshotter.difference(before, await snapshotter.take(folder.path))
      return snapshotter.patch(texts, difference, 10_000)
    }
  }
  folder.write('a.txt', 'one\n')
  folder.write('b.txt', 'two\n')
  await look(() => folder.write('a.txt', 'gone again\n'))
  folder.write('a.txt', 'one\n')
  const first = await (await look())()
  for (const line of ['-one', '-two']) expect(first.split('\n')).toContain(line)
  folder.write('a.txt', 'uno\n')
  folder.write('b.txt', 'two\n')
  const second = await (await look())()
  for (const line of ['-uno', '-two']) expect(second.split('\n')).toContain(line)
})
