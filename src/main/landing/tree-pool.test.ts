import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clearCaches } from '../custody/tool-caches.ts'
import { findTarget, openRepository } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'
import { createTreePool, type PooledTree } from './tree-pool.ts'

/* Trees for attempts: what happens in one tree does not affect another. */

const at = landingRepository()

interface OpenedPool {
  readonly take: (commit: string, signal?: AbortSignal, copy?: readonly string[]) => Promise<PooledTree>
}

async function opened(limit: () => number = () => 1): Promise<OpenedPool> {
  const repository = await openRepository(at.top)
  if ('reason' in repository) throw new Error(repository.reason)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const pool = createTreePool({
    directory: join(at.root, 'trees'),
    limit,
    log,
    clearCaches: (top, places, isAgents, kept) => clearCaches(top, places, isAgents, { kept, log }),
  })
  const target = await findTarget(repository, 'main')
  return {
    take: (commit, signal = new AbortController().signal, copy = []) =>
      pool.take(repository, { commit, target, copy, ports: 0, signal }),
  }
}

async function take(commit: string, copy: readonly string[] = []): Promise<PooledTree> {
  return (await opened()).take(commit, undefined, copy)
}

test('an attempt that is aborted while its tree is prepared leaves the tree for the next one', async () => {
  const head = at.git('rev-parse', 'HEAD')
  const { top, release } = await take(head)
  await release()
  const { ino } = statSync(top)
  const abort = new AbortController()
  // The limit is read once it is the attempt's turn.
  const pool = await opened(() => {
    abort.abort()
    return 1
  })
  await expect(pool.take(head, abort.signal)).rejects.toThrow(/abort/i)
  expect(statSync(top).ino).toBe(ino)
})

test('adds only one abort listener for an attempt that waits for a tree more than once', async () => {
  const head = at.git('rev-parse', 'HEAD')
  const pool = await opened()
  const first = await pool.take(head)
  const abort = new AbortController()
  const [second, third] = [pool.take(head), pool.take(head, abort.signal)]
  await first.release()
  await second
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1)
  abort.abort()
  await expect(third).rejects.toThrow(/abort/i)
  expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0)
})

test('takes the author from the repository of its tree, and not through a link out of it', async () => {
  const { top, author, release } = await take(at.git('rev-parse', 'HEAD'))
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
      cwd: top,
      encoding: 'utf8',
    })
  git('commit', '-q', '--allow-empty', '-m', 'work')
  expect(await author()).toBe('Ada <ada@example.org>')
  const outside = join(at.root, 'outside-head')
  writeFileSync(outside, git('rev-parse', 'HEAD'))
  rmSync(join(top, '.git/HEAD'))
  symlinkSync(outside, join(top, '.git/HEAD'))
  expect(await author()).toBeNull()
  await release()
})

test('removes, copies and restores nothing through a link that leads out of the tree', async () => {
  const outside = join(at.root, 'outside')
  mkdirSync(join(outside, 'node_modules'), { recursive: true })
  writeFileSync(join(outside, 'node_modules/kept.txt'), 'mine\n')
  writeFileSync(join(outside, 'HEARTBEAT.md'), 'mine\n')
  writeFileSync(join(outside, 'a.local'), 'mine\n')
  at.write({
    '.gitignore': 'node_modules/\n*.local\n',
    'web/node_modules/new.txt': 'new\n',
    'web/a.local': 'other\n',
  })
  const tree = await take(at.commitOf({ web: `-> ${outside}` }), ['web/a.local'])
  await tree.restore(['web/HEARTBEAT.md'])
  expect(existsSync(join(outside, 'node_modules/new.txt'))).toBe(false)
  expect(readFileSync(join(outside, 'node_modules/kept.txt'), 'utf8')).toBe('mine\n')
  expect(readFileSync(join(outside, 'HEARTBEAT.md'), 'utf8')).toBe('mine\n')
  expect(readFileSync(join(outside, 'a.local'), 'utf8')).toBe('mine\n')
  await tree.release()
  // Now the tree itself is a link.
  rmSync(tree.top, { recursive: true })
  symlinkSync(outside, tree.top)
  const again = await take(at.git('rev-parse', 'HEAD'))
  expect(readFileSync(join(again.top, 'one.txt'), 'utf8')).toBe('one\n')
  expect(existsSync(join(outside, 'one.txt'))).toBe(false)
  expect(readFileSync(join(outside, 'HEARTBEAT.md'), 'utf8')).toBe('mine\n')
})

test('a tree is complete while everything in it would land', async () => {
  at.write({
    '.gitignore': '*.local\nbuild/\nnode_modules/\n',
    'node_modules/one/index.js': '1\n',
    'made.local': 'made\n',
  })
  const tree = await take(
    at.commitOf({ '.gitattributes': '*.txt text\n', '.gitignore': '*.local\nbuild/\nnode_modules/\n' }),
    ['made.local'],
  )
  const isWhole = async (): Promise<boolean> => tree.isWhole(await tree.write())
  const write = (path: string, text: string): void => writeFileSync(join(tree.top, path), text)
  await tree.write()
  await tree.mark()
  write('new.txt', 'it lands\n')
  expect(await isWhole()).toBe(true)
  write('a.local', 'ignored\n')
  expect(await isWhole()).toBe(false)
  rmSync(join(tree.top, 'a.local'))
  mkdirSync(join(tree.top, 'empty'))
  expect(await isWhole()).toBe(false)
  rmdirSync(join(tree.top, 'empty'))
  expect(await isWhole()).toBe(true)
  write('new.txt', 'it is converted\r\n')
  expect(await isWhole()).toBe(false)
  write('new.txt', 'it lands\n')
  expect(await isWhole()).toBe(true)
  write('node_modules/one/index.js', '2\n')
  expect(await isWhole()).toBe(false)
})

describe('tool caches', () => {
  const ignored = { '.gitignore': '.pytest_cache/\n__pycache__\nbuild/\nnode_modules/\n.venv/\n' }
  const cached = [
    '.pytest_cache/v/lastfailed',
    'pkg/__pycache__/cart.pyc',
    'node_modules/.vite/results.json',
    '.venv/lib/site/__pycache__/one.pyc',
  ]
  const install = (): string => {
    at.write({
      ...ignored,
      'node_modules/one/index.js': '1\n',
      'node_modules/.cache/downloaded.bin': 'a database\n',
      '.venv/lib/site/one.py': '1\n',
    })
    return at.commitOf({ ...ignored, 'pkg/cart.py': '1\n', 'spare/cart.pyc': 'rigged\n' })
  }
  const made = async (): Promise<{ tree: PooledTree; isWhole: () => Promise<boolean> }> => {
    const tree = await take(install())
    const isWhole = async (): Promise<boolean> => tree.isWhole(await tree.write())
    await tree.write()
    await tree.mark()
    // An agent takes longer to start than one tick of the file system's clock.
    const timeOf = (path: string) => statSync(path, { bigint: true }).ctimeNs
    const [marked, tick] = [join(at.root, 'trees/1/marked'), join(at.root, 'tick')]
    do writeFileSync(tick, '')
    while (timeOf(tick) <= timeOf(marked))
    return { tree, isWhole }
  }
  const write = ({ top }: PooledTree, path: string, text = 'x\n'): void => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }

  test.each([cached.slice(0, 3)])(
    'that an agent left are cleared, and its tree is complete: %s',
    async (...paths) => {
      const { tree, isWhole } = await made()
      for (const path of paths) write(tree, path)
      expect(await isWhole()).toBe(false)
      await tree.clearCaches()
      for (const path of paths) expect(existsSync(join(tree.top, path))).toBe(false)
      expect(readFileSync(join(tree.top, 'node_modules/.cache/downloaded.bin'), 'utf8')).toBe('a database\n')
      expect(await isWhole()).toBe(true)
    },
  )

  test.each(['build/__pycache__/cart.pyc', 'node_modules/one/added.js', 'node_modules/two/index.js'])(
    'do not hide other files that an agent wrote there: %s',
    async (path) => {
      const { tree, isWhole } = await made()
      write(tree, path)
      await tree.clearCaches()
      expect(await isWhole()).toBe(false)
    },
  )

  test('that stay make the tree incomplete', async () => {
    const { tree, isWhole } = await made()
    // As if clearing them had failed.
    for (const path of cached.slice(0, 3)) {
      write(tree, path)
      expect(await isWhole()).toBe(false)
      rmSync(join(tree.top, path))
    }
    expect(await isWhole()).toBe(true)
  })

  test.each(['pkg/__pycache__', 'node_modules/.vite'])(
    'do not hide older files that were moved there: %s',
    async (path) => {
      const { tree, isWhole } = await made()
      renameSync(join(tree.top, 'spare'), join(tree.top, path))
      await tree.clearCaches()
      expect(await isWhole()).toBe(false)
    },
  )

  test('are not recognized through a link with such a name', async () => {
    const { tree, isWhole } = await made()
    symlinkSync(join(at.root, 'elsewhere'), join(tree.top, 'pkg/__pycache__'))
    expect(await isWhole()).toBe(false)
    await tree.clearCaches()
    expect(await isWhole()).toBe(true)
  })

  test('of one attempt and its checks are removed before the next, which keeps installed packages', async () => {
    const { tree } = await made()
    const file = join(tree.top, 'node_modules/one/index.js')
    const { ino } = statSync(file)
    write(tree, 'node_modules/.vite/results.json')
    write(tree, 'node_modules/.cache/downloaded.bin', 'evil\n')
    write(tree, '.pytest_cache/v/lastfailed')
    await tree.release()
    const next = await take(at.git('rev-parse', 'HEAD'))
    expect(statSync(file).ino).toBe(ino)
    expect(existsSync(join(next.top, 'node_modules/.vite'))).toBe(false)
    expect(existsSync(join(next.top, '.pytest_cache'))).toBe(false)
    expect(readFileSync(join(next.top, 'node_modules/.cache/downloaded.bin'), 'utf8')).toBe('a database\n')
  })

  test('are not confused with another folder moved to the place of an installed one', async () => {
    at.write({ 'web/node_modules/one/index.js': '2\n' })
    const { tree, isWhole } = await made()
    const [top, web] = ['node_modules', 'web/node_modules'].map((path) => join(tree.top, path)) as [
      string,
      string,
    ]
    renameSync(top, join(tree.top, 'node_modules.away'))
    renameSync(web, top)
    renameSync(join(tree.top, 'node_modules.away'), web)
    expect(await isWhole()).toBe(false)
    await tree.release()
    await take(at.git('rev-parse', 'HEAD'))
    expect(readFileSync(join(top, 'one/index.js'), 'utf8')).toBe('1\n')
    expect(readFileSync(join(web, 'one/index.js'), 'utf8')).toBe('2\n')
  })
})

describe('a stamp that an agent without a sandbox changed', () => {
  const future = new Date('2100-01-01T00:00:00Z')
  const stamp = (name: string): string => join(at.root, 'trees/1', name)

  test.each([
    ['is set to the future', (path: string) => utimesSync(path, future, future)],
    ['is rewritten', (path: string) => writeFileSync(path, '')],
  ])('that %s does not make a tree complete', async (_name, change) => {
    const tree = await take(at.git('rev-parse', 'HEAD'))
    await tree.write()
    await tree.mark()
    expect(await tree.isWhole(await tree.write())).toBe(true)
    writeFileSync(join(tree.top, 'a.local'), 'ignored\n')
    change(stamp('marked'))
    expect(await tree.isWhole(await tree.write())).toBe(false)
  })

  test('does not keep its dependencies for the next attempt', async () => {
    at.write({ '.gitignore': 'node_modules/\n', 'node_modules/one/index.js': '1\n' })
    const base = at.commitOf({ '.gitignore': 'node_modules/\n' })
    const tree = await take(base)
    const file = join(tree.top, 'node_modules/one/index.js')
    const { ino } = statSync(file)
    await tree.release()
    // Another process finds them unchanged, and keeps them.
    const again = await take(base)
    expect(statSync(file).ino).toBe(ino)
    writeFileSync(file, 'evil\n')
    utimesSync(stamp('installed'), future, future)
    await again.release()
    await take(base)
    expect(readFileSync(file, 'utf8')).toBe('1\n')
  })
})

test.each([
  ['is converted to CRLF', '*.sh eol=crlf\n', 'a\r\n'],
  ['gets an identifier', '*.sh ident\n', 'a\n'],
])(
  'a tree is incomplete when an unchanged file %s by new attributes, and is checked out that way',
  async (_name, attributes, text) => {
    const base = at.commitOf({ 'run.sh': 'a\n', 'id.sh': '$Id$\n' })
    const tree = await take(base)
    await tree.write()
    await tree.mark()
    writeFileSync(join(tree.top, '.gitattributes'), attributes)
    const left = await tree.write()
    expect(await tree.isWhole(left)).toBe(false)
    await tree.release()
    const again = await take(base)
    await again.checkOut(left)
    expect(readFileSync(join(again.top, 'run.sh'), 'utf8')).toBe(text)
    if (attributes.includes('ident'))
      expect(readFileSync(join(again.top, 'id.sh'), 'utf8')).toMatch(/^\$Id: [0-9a-f]+ \$/)
    await again.release()
    // The next attempt does not get it.
    const next = await take(base)
    expect(readFileSync(join(next.top, 'run.sh'), 'utf8')).toBe('a\n')
    expect(readFileSync(join(next.top, 'id.sh'), 'utf8')).toBe('$Id$\n')
  },
)

test('a tree is incomplete when a checkout of a new file has other line endings', async () => {
  const tree = await take(at.commitOf({ '.gitattributes': '*.sh eol=crlf\n*.txt eol=lf\n' }))
  await tree.write()
  await tree.mark()
  writeFileSync(join(tree.top, 'new.txt'), 'a\n')
  expect(await tree.isWhole(await tree.write())).toBe(true)
  writeFileSync(join(tree.top, 'new.sh'), 'a\n')
  expect(await tree.isWhole(await tree.write())).toBe(false)
})

test('a tree is incomplete when the agent changed or removed what was copied into it', async () => {
  at.write({ 'made.local': 'made\n' })
  const tree = await take(at.git('rev-parse', 'HEAD'), ['made.local'])
  await tree.write()
  await tree.mark()
  rmSync(join(tree.top, 'made.local'))
  expect(await tree.isWhole(await tree.write())).toBe(false)
})

test('trees of several workspaces have no port in common, and each keeps its own', async () => {
  const repository = await openRepository(at.top)
  if ('reason' in repository) throw new Error(repository.reason)
  const [commit, target] = [at.git('rev-parse', 'HEAD'), await findTarget(repository, 'main')]
  const { signal } = new AbortController()
  const request = { commit, target, copy: [], ports: 2, signal }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const pools = ['a', 'b'].map((name) =>
    createTreePool({ directory: join(at.root, name), limit: () => 2, log, clearCaches: async () => {} }),
  )
  const taken: PooledTree[] = []
  for (const pool of [...pools, ...pools]) taken.push(await pool.take(repository, request))
  expect(new Set(taken.flatMap(({ ports }) => ports)).size).toBe(8)
  const [first] = taken
  await first?.release()
  expect((await pools[0]?.take(repository, request))?.ports).toEqual(first?.ports)
})
