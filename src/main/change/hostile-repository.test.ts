import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ObjectReader, openObjects } from './object-reader.ts'
import { openRepository } from './repository.ts'
import { type ChangeRepository, changeRepository } from './testing/change-repository.ts'

/*
 * Repositories with objects that git itself would not check out, such as a tree with `..`. Writing such a tree by its names would write
 * outside the folder, with the rights of the user who asked for a verdict. Each test first shows that with a naive checkout (`naive`).
 */

const MEGABYTE = 1024 * 1024
const CHECK = { 'pulseward.toml': '[agent]\ncommand = ["true"]\n[gates]\ncommands = [["sh", "check.sh"]]\n' }

type Entry = readonly [mode: '100644' | '120000' | '40000', name: string, content: string | readonly Entry[]]

let repository: ChangeRepository
let objects: ObjectReader
let mainTree: string
let outside: string
/** Stored contents by object id. */
const contents = new Map<string, Buffer>()

beforeAll(async () => {
  repository = changeRepository({ ...CHECK, 'check.sh': 'test -f ok\n', ok: 'ok\n' })
  mainTree = repository.git('rev-parse', 'main^{tree}').trim()
  objects = await openObjects(await openRepository(repository.directory))
})
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-outside-')))
  writeFileSync(join(outside, 'mine'), 'mine')
})
afterEach(() => rmSync(outside, { recursive: true, force: true }))
afterAll(async () => {
  await objects.close()
  repository.remove()
})

/** Stores any object in git's format, even one that git would reject. */
function store(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(bytes).digest('hex')
  const file = join(repository.directory, '.git/objects', id.slice(0, 2), id.slice(2))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, deflateSync(bytes))
  contents.set(id, content)
  return id
}

function tree(entries: readonly Entry[]): string {
  const bytes = entries.map(([mode, name, content]) => {
    const id = typeof content === 'string' ? store('blob', Buffer.from(content)) : tree(content)
    return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
  })
  return store('tree', Buffer.concat(bytes))
}

/** Returns a tree of the base's files and these, in git's order. */
function withBase(entries: readonly Entry[]): string {
  const text = (name: string): string => readFileSync(join(repository.directory, name), 'utf8')
  const own = ['check.sh', 'ok', 'pulseward.toml'].map((name): Entry => ['100644', name, text(name)])
  const key = ([mode, name]: Entry): Buffer => Buffer.from(mode === '40000' ? `${name}/` : name)
  return tree([...own, ...entries].sort((one, other) => Buffer.compare(key(one), key(other))))
}

function commit(top: string, parent: string): string {
  const who = 'a <a@example.org> 1700000000 +0000'
  return store('commit', Buffer.from(`tree ${top}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nx\n`))
}

const main = (): string => repository.git('rev-parse', 'main').trim()

/** Writes a tree's files wherever their names say. */
function naive(top: string, folder: string): void {
  for (const line of repository.git('ls-tree', '-r', '-z', top).split('\0').filter(Boolean)) {
    const [, mode = '', id = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
    const content = contents.get(id) ?? Buffer.alloc(0)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (mode === '120000') symlinkSync(content, join(folder, path))
    else writeFileSync(join(folder, path), content)
  }
}

const nested = (names: readonly string[], inner: readonly Entry[]): readonly Entry[] =>
  names.reduceRight<readonly Entry[]>((below, name) => [['40000', name, below]], inner)
const UP = Array<string>(20).fill('..')
const EVIL: Entry = ['100644', 'evil', 'evil\n']
const placeOf = (path: string): string[] => path.split('/').filter(Boolean)

const OUT: readonly (readonly [string, () => readonly Entry[]])[] = [
  ['folders called ..', () => nested([...UP, ...placeOf(outside)], [EVIL])],
  ['.. further below', () => nested(['src', ...UP, ...placeOf(outside)], [EVIL])],
  ['one name with slashes', () => [['100644', [...UP, ...placeOf(outside), 'evil'].join('/'), 'evil\n']]],
  [
    'a link, and a folder of its name',
    () => [
      ['120000', 'a', outside],
      ['40000', 'a', [EVIL]],
    ],
  ],
  [
    'a link below, and a folder of its name',
    () => [
      [
        '40000',
        'd',
        [
          ['120000', 'a', outside],
          ['40000', 'a', [EVIL]],
        ],
      ],
    ],
  ],
  [
    'a link to a new file, and a file of its name',
    () => [
      ['120000', 'a', join(outside, 'evil')],
      ['100644', 'a', 'evil\n'],
    ],
  ],
  [
    'a link, and a name with a slash that leads through it',
    () => [
      ['120000', 'a', outside],
      ['100644', 'a/evil', 'evil\n'],
    ],
  ],
]

const REFUSED = { exitCode: 3, message: expect.stringContaining('git refuses to check out') }

describe('a head that git would not check out is not written', () => {
  it.each(OUT)('%s', async (_, entries) => {
    const top = withBase(entries())
    await expect(objects.changes(mainTree, top)).rejects.toMatchObject(REFUSED)
    await expect(objects.files(top)).rejects.toMatchObject(REFUSED)
    const room = join(outside, 'room')
    mkdirSync(room)
    naive(top, room)
    expect(readdirSync(outside).sort()).toEqual(['evil', 'mine', 'room'])
  })

  it('by the command, and nothing is written outside', async () => {
    const head = commit(withBase(nested([...UP, ...placeOf(outside)], [EVIL])), main())
    await expect(repository.verify({ base: 'main', head })).rejects.toMatchObject(REFUSED)
    expect(readdirSync(outside)).toEqual(['mine'])
  })

  it('nor is a base that would remove something outside', async () => {
    const base = withBase(nested([...UP, ...placeOf(outside)], [['100644', 'mine', 'mine']]))
    await expect(objects.changes(base, mainTree)).rejects.toMatchObject(REFUSED)
    // The same list names the files that a change removes.
    expect(repository.git('diff-tree', '-r', '--name-only', base, mainTree)).toContain(join(outside, 'mine'))
  })

  it.each(['.git', '.GIT', '.git.', '.g\u200cit', 'GIT~1'])(
    'nor are files that git obeys: %j',
    async (name) => {
      const config = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = "touch ${outside}/evil; false"\n`
      const data: readonly Entry[] = [
        ['100644', 'HEAD', 'ref: refs/heads/main\n'],
        ['100644', 'config', config],
        ['40000', 'objects', [['100644', 'x', '']]],
        ['40000', 'refs', [['100644', 'x', '']]],
      ]
      await expect(objects.changes(mainTree, withBase([['40000', name, data]]))).rejects.toMatchObject(
        REFUSED,
      )
      // Use the plain name here, because only some file systems treat the other names as the same.
      const room = join(outside, 'room')
      mkdirSync(room)
      naive(tree([['40000', '.git', data]]), room)
      execFileSync('git', ['status'], { cwd: room })
      expect(existsSync(join(outside, 'evil'))).toBe(true)
    },
  )

  it('but one whose names only look similar is measured', async () => {
    const top = withBase([
      ['40000', '...', [EVIL]],
      ['40000', '..data', [['120000', 'link', '../ok']]],
      ['100644', '.gitkeep', ''],
      ['100644', 'a', 'a\n'],
      ['100644', 'a.b', 'b\n'],
      ['40000', 'git~', [EVIL]],
    ])
    expect(await repository.verify({ base: 'main', head: commit(top, main()) })).toMatchObject({
      verdict: 'verified',
    })
  })
})

it('does not unpack more of a repository than fits into memory', async () => {
  const ids = ['1', '2', '3'].map((first) =>
    store('blob', Buffer.concat([Buffer.from(first), Buffer.alloc(MEGABYTE)])),
  )
  const small = await openObjects(await openRepository(repository.directory), {
    maxTotalBytes: 2.5 * MEGABYTE,
  })
  try {
    await expect(small.read(ids, 2 * MEGABYTE)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('unpacks to'),
    })
    expect((await small.read(ids.slice(1), 2 * MEGABYTE)).size).toBe(2)
  } finally {
    await small.close()
  }
  // In the repository it only takes a thousandth of that space.
  const stored = ids.map((id) =>
    statSync(join(repository.directory, '.git/objects', id.slice(0, 2), id.slice(2))),
  )
  expect(stored.every(({ size }) => size < MEGABYTE / 500)).toBe(true)
})

it('reads a file once, so what is laid out is what custody read', async () => {
  const id = store('blob', Buffer.from('assert(1)\n'))
  const objects = await openObjects(await openRepository(repository.directory))
  try {
    const read = async (maxBytes?: number): Promise<string | undefined> =>
      (await objects.read([id], maxBytes)).get(id)?.toString()
    expect(await read()).toBe('assert(1)\n')
    rmSync(join(repository.directory, '.git/objects', id.slice(0, 2), id.slice(2)))
    expect(await read()).toBe('assert(1)\n')
    expect(await read(5)).toBeUndefined()
  } finally {
    await objects.close()
  }
})
