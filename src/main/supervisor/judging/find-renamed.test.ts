import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSnapshotter } from '../../snapshot/snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from '../../snapshot/testing/scratch-folder.ts'
import { readFormerTests } from './find-renamed.ts'

let folder: ScratchFolder
beforeEach(() => {
  folder = createScratchFolder()
})
afterEach(() => folder.dispose())

const SOURCE = `pub fn sub(a: i32, b: i32) -> i32 {
    a + b
}

#[cfg(test)]
mod tests {
    #[test]
    fn subs() {
        assert_eq!(super::sub(3, 2), 1);
    }
}
`
const LIE = SOURCE.replace('2), 1', '2), 5')
const LARGE = 'x'.repeat(1_100_000)

/** `earlier`: the files before the attempts that preceded this work. */
async function formerTests(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  earlier: Readonly<Record<string, string>> = {},
): ReturnType<typeof readFormerTests> {
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) folder.write(path, text)
  }
  write(before)
  folder.makeRepository()
  folder.commitAll()
  const snapshotter = createSnapshotter({ log: silentLog })
  const first = await snapshotter.take(folder.path)
  const textsBefore = await snapshotter.keepTexts(first)
  write(after)
  const difference = await snapshotter.difference(first, await snapshotter.take(folder.path))
  const then = Object.entries(earlier).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    isExecutable: false,
  }))
  const undo = { filesBefore: async () => ({ write: then, remove: [] }) }
  const ports = { directory: folder.path, snapshotter, undo }
  return readFormerTests(ports, { difference, textsBefore }, then.length === 0 ? [] : ['1-1-abcd'])
}

describe('a liar changes what a test in a source expects', () => {
  it('and the old expectation is still known', async () => {
    expect(await formerTests({ 'src/lib.rs': SOURCE }, { 'src/lib.rs': LIE })).toEqual([
      { path: 'src/lib.rs', text: SOURCE },
    ])
  })

  it('of an example in its documentation, which is the only one', async () => {
    const before = 'def sub(a, b):\n    """\n    >>> sub(3, 2)\n    1\n    """\n    return a + b\n'
    const after = before.replace('    >>> sub(3, 2)\n    1\n', '')
    expect(await formerTests({ 'calc.py': before }, { 'calc.py': after })).toEqual([
      { path: 'calc.py', text: before },
    ])
  })

  it('next to a large file whose earlier text is not kept', async () => {
    const [before, after] = [{ 'src/lib.rs': SOURCE, 'dist/a.js': `${LARGE}test` }, `${LARGE}test2`]
    expect(await formerTests(before, { 'src/lib.rs': LIE, 'dist/a.js': after })).toEqual([
      { path: 'src/lib.rs', text: SOURCE },
    ])
  })

  it('and makes the source too large to read: the source is reported, but its earlier text is unknown', async () => {
    const padded = `${LIE}// ${LARGE}\n`
    expect(await formerTests({ 'src/lib.rs': SOURCE }, { 'src/lib.rs': padded })).toEqual([
      { path: 'src/lib.rs', text: null },
    ])
  })
})

describe('a liar changed what a test in a source expects in an earlier attempt', () => {
  const before = { 'src/lib.rs': SOURCE }

  it('and changes the source again', async () => {
    const after = { 'src/lib.rs': `${LIE}// done\n` }
    expect(await formerTests({ 'src/lib.rs': LIE }, after, before)).toEqual([
      { path: 'src/lib.rs', text: `${SOURCE}// done\n` },
    ])
  })

  it('and leaves the source unchanged', async () => {
    expect(await formerTests({ 'src/lib.rs': LIE, 'a.txt': 'a' }, { 'a.txt': 'b' }, before)).toEqual([
      { path: 'src/lib.rs', text: SOURCE },
    ])
  })
})

describe('an honest agent', () => {
  it('fixes a source in two attempts', async () => {
    const half = { 'src/lib.rs': SOURCE.replace('a + b', 'a -') }
    const whole = { 'src/lib.rs': SOURCE.replace('a + b', 'a - b') }
    expect(await formerTests(half, whole, { 'src/lib.rs': SOURCE })).toEqual([])
  })

  it('fixes a source of 300,000 bytes that contains its tests', async () => {
    const long = `${SOURCE}// ${'x'.repeat(300_000)}\n`
    expect(
      await formerTests({ 'src/lib.rs': long }, { 'src/lib.rs': long.replace('a + b', 'a - b') }),
    ).toEqual([])
  })

  it('fixes a source, and writes a large program', async () => {
    const before = { 'src/lib.rs': SOURCE, 'dist/a.js': `${LARGE}test` }
    const after = { 'src/lib.rs': SOURCE.replace('a + b', 'a - b'), 'dist/a.js': `${LARGE}test2` }
    expect(await formerTests(before, after)).toEqual([])
  })
})
