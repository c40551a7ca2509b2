import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { digestOf, printFolder, touchedBetween } from './folder-print.ts'

interface Tree {
  readonly top: string
  readonly beside: string
}

function tree(): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-print-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const top = join(root, 'w')
  const beside = join(root, 'beside')
  for (const folder of [
    join(top, 'src'),
    join(top, 'node_modules', 'p'),
    join(top, '.git', 'objects'),
    beside,
  ])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(top, 'src', 'a.js'), 'one')
  writeFileSync(join(top, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(top, 'node_modules', 'p', 'index.js'), 'one')
  writeFileSync(join(beside, 'b.js'), 'one')
  symlinkSync('a.js', join(top, 'src', 'link'))
  symlinkSync(beside, join(top, 'lib'))
  return { top, beside }
}

describe('printFolder', () => {
  const look = async (top: string, hashed?: ReadonlySet<string>) => {
    const print = await printFolder(top, [join(top, 'data')], hashed)
    if (print === null) throw new Error('It could not be looked at')
    return print
  }

  it.each<[string, (tree: Tree) => void]>([
    ['a changed file', ({ top }) => writeFileSync(join(top, 'src', 'a.js'), 'two')],
    ['a changed ignored file', ({ top }) => writeFileSync(join(top, 'node_modules/p/index.js'), 'two')],
    ['a new file', ({ top }) => writeFileSync(join(top, 'src', 'b.js'), '')],
    ['a removed file', ({ top }) => rmSync(join(top, 'src', 'a.js'))],
    ['a new empty folder', ({ top }) => mkdirSync(join(top, 'empty'))],
    ['a changed file mode', ({ top }) => chmodSync(join(top, 'src', 'a.js'), 0o755)],
    [
      'a changed link target',
      ({ top }) => {
        rmSync(join(top, 'src', 'link'))
        symlinkSync('../src/a.js', join(top, 'src', 'link'))
      },
    ],
    ['a change behind a link that leads out', ({ beside }) => writeFileSync(join(beside, 'b.js'), 'two')],
    [
      'another checked-out branch',
      ({ top }) => writeFileSync(join(top, '.git', 'HEAD'), 'ref: refs/heads/x\n'),
    ],
    [
      'new content with the same length and times',
      ({ top }) => {
        const path = join(top, 'src', 'a.js')
        const { atime, mtime } = statSync(path)
        writeFileSync(path, 'eno')
        utimesSync(path, atime, mtime)
      },
    ],
  ])('detects %s', async (_, change) => {
    const made = tree()
    const before = await look(made.top)
    change(made)
    const after = await look(made.top, before.hashed)
    expect(digestOf(after)).not.toBe(digestOf(before))
    expect(touchedBetween(before, after)).not.toEqual([])
  })

  it('is the same if nothing was touched except ignored files', async () => {
    const { top } = tree()
    const before = await look(top)
    mkdirSync(join(top, 'data'))
    writeFileSync(join(top, 'data', 'ledger'), 'x')
    writeFileSync(join(top, '.git', 'objects', 'aa'), 'x')
    expect(digestOf(await look(top, before.hashed))).toBe(digestOf(before))
  })

  it('reads files that changed a moment ago, because their times might not show a second write', async () => {
    const { top } = tree()
    const path = join(top, 'src', 'a.js')
    const { hashed, entries } = await look(top)
    expect(hashed).toContain(path)
    appendFileSync(path, '')
    expect((await look(top, hashed)).entries.get(path)).toBe(entries.get(path))
  })

  it('treats a file that was just written and is too large to read as different each time', async () => {
    const { top } = tree()
    writeFileSync(join(top, 'node_modules', 'large'), Buffer.alloc(17 * 1024 * 1024))
    const before = await look(top)
    expect(digestOf(await look(top, before.hashed))).not.toBe(digestOf(before))
    const old = new Date(Date.now() - 60_000)
    expect(before.entries.get(join(top, 'node_modules', 'large'))).toBeDefined()
    utimesSync(join(top, 'node_modules', 'large'), old, old)
    // The system's own time of the change can't be set back.
    expect(digestOf(await look(top, before.hashed))).not.toBe(digestOf(before))
  })

  it('gives up on a linked work tree, because git keeps its data elsewhere', async () => {
    const { top } = tree()
    writeFileSync(join(top, 'src', '.git'), 'gitdir: /elsewhere/.git')
    expect(await printFolder(top, [])).toBeNull()
  })

  it('gives up on a missing folder', async () => {
    const { top } = tree()
    expect(await printFolder(join(top, 'gone'), [])).toBeNull()
  })

  it('detects a commit of the same files', async () => {
    const { top } = tree()
    const git = (...words: string[]) => execFileSync('git', words, { cwd: top, stdio: 'pipe' })
    rmSync(join(top, '.git'), { recursive: true })
    git('init', '--quiet')
    git('add', '.')
    const before = await look(top)
    git('-c', 'user.name=o', '-c', 'user.email=o@example.invalid', 'commit', '--quiet', '-m', 'Start')
    expect(digestOf(await look(top, before.hashed))).not.toBe(digestOf(before))
  })
})
