import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import type { CheckRoom } from '../ports/custody.ts'
import { createRoomMaker, type RoomPlan, type RoomRequest, type RoomWay } from './clean-room.ts'

const run = promisify(execFile)
const hasNamespaces = await run('unshare', ['--mount', 'true']).then(
  () => true,
  () =>
    run('unshare', ['--user', '--map-root-user', '--mount', 'true']).then(
      () => true,
      () => false,
    ),
)

let root: string
let top: string
const rooms: CheckRoom[] = []

beforeEach(async () => {
  // Commas and colons have a meaning in mount options.
  root = await mkdtemp(join(tmpdir(), 'pulseward-room-, :'))
  top = join(root, 'top')
  await mkdir(join(top, 'sub', 'tests'), { recursive: true })
  await mkdir(join(top, 'node_modules', 'dep'), { recursive: true })
  await writeFile(join(top, 'node_modules', 'dep', 'index.js'), 'dep')
  await writeFile(join(top, 'source'), 'the agent’s')
  await writeFile(join(top, 'sub', 'tests', 'a'), 'weakened')
  await writeFile(join(top, 'sub', 'conftest.py'), 'new')
})
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close()
  await rm(root, { recursive: true, force: true })
})

const plan: RoomPlan = {
  write: [
    { path: 'sub/tests/a', bytes: Buffer.from('base'), isExecutable: false },
    { path: 'sub/tests/deep/-b', bytes: Buffer.from('#!/bin/sh\necho base'), isExecutable: true },
  ],
  remove: ['sub/conftest.py'],
}

async function open(
  way: RoomWay,
  wanted = plan,
  beside: RoomRequest['beside'] = null,
  data = root,
): Promise<CheckRoom> {
  const maker = createRoomMaker({ directory: join(data, 'data', 'rooms'), clock: systemClock, ways: [way] })
  const request = {
    top,
    directory: join(top, 'sub'),
    plan: wanted,
    beside,
    signal: new AbortController().signal,
  }
  const opened = await maker.open(request)
  if (opened.kind === 'none') throw new Error(opened.reason)
  rooms.push(opened.room)
  return opened.room
}

async function inside(room: CheckRoom, script: string): Promise<string> {
  const { command, directory } = room.enter(['sh', '-c', script])
  const [program = '', ...words] = command
  return (await run(program, words, { cwd: directory })).stdout.trim()
}

describe('git’s data outside the tree', () => {
  const beside = async () => {
    const shared = join(root, 'shared')
    await mkdir(join(shared, 'info'), { recursive: true })
    await writeFile(join(shared, 'config'), 'the agent’s')
    await writeFile(join(shared, 'info', 'exclude'), 'new')
    const write = [{ path: 'config', bytes: Buffer.from('base'), isExecutable: false }]
    return { top: shared, plan: { write, remove: ['info/exclude'] } }
  }

  test.runIf(hasNamespaces)(
    'is restored to the baseline too, and what is written there stays in the room',
    async () => {
      const layer = await beside()
      const room = await open('namespace', plan, layer)
      expect(await inside(room, `cd "${layer.top}"; cat config; ls info; echo x > written; ls`)).toBe(
        'baseconfig\ninfo\nwritten',
      )
      expect(await readdir(layer.top)).toEqual(['config', 'info'])
      expect(await inside(room, 'cat tests/a')).toBe('base')
    },
  )

  test('is refused with the reason if the room is a copy', async () => {
    const layer = await beside()
    await expect(open('copy', plan, layer)).rejects.toThrow('outside this work tree')
  })
})

describe.each<RoomWay>(hasNamespaces ? ['namespace', 'copy'] : ['copy'])('a clean room by %s', (way) => {
  test('has the baseline’s files and the agent’s other files, including dependencies', async () => {
    const room = await open(way)
    expect(
      await inside(room, 'cat tests/a ../source; ./tests/deep/-b; cat ../node_modules/dep/index.js; ls'),
    ).toBe('basethe agent’sbase\ndeptests')
  })

  test('has git’s data, and what is written there stays there', async () => {
    const git = (...words: string[]) =>
      run('git', ['-c', 'user.name=o', '-c', 'user.email=o@example.invalid', ...words], { cwd: top })
    await git('init', '-q')
    await git('add', 'source')
    await git('commit', '-q', '-m', 'start')
    const objects = join(top, '.git', 'objects')
    const before = await readdir(objects)
    const room = await open(way)
    const script = 'git show HEAD:source; echo new > ../source; git add ../source; git ls-files ..'
    expect(await inside(room, script)).toBe('the agent’s../source')
    await room.close()
    expect(await readdir(objects)).toEqual(before)
    expect((await git('status', '--porcelain', 'source')).stdout).toBe('')
  })

  test('changes nothing outside, and leaves nothing behind', async () => {
    const room = await open(way)
    await inside(room, 'echo x > ../source; rm -r tests; mkdir tests; echo x > tests/new')
    await inside(room, 'echo x > ../node_modules/dep/index.js; echo x > ../node_modules/new')
    await room.close()
    expect(await readFile(join(top, 'source'), 'utf8')).toBe('the agent’s')
    expect(await readFile(join(top, 'node_modules', 'dep', 'index.js'), 'utf8')).toBe('dep')
    expect(await readdir(join(top, 'node_modules'))).toEqual(['dep'])
    expect(await readdir(join(top, 'sub', 'tests'))).toEqual(['a'])
    expect(await readFile(join(top, 'sub', 'tests', 'a'), 'utf8')).toBe('weakened')
    expect(await readdir(join(root, 'data', 'rooms')).catch(() => [])).toEqual([])
    expect(room.copy === null ? [] : await readdir(room.copy).catch(() => [])).toEqual([])
  })

  test('writes nothing through a link that replaced a folder', async () => {
    await rm(join(top, 'sub', 'tests'), { recursive: true })
    await mkdir(join(root, 'elsewhere'))
    await symlink(join(root, 'elsewhere'), join(top, 'sub', 'tests'))
    const room = await open(way)
    expect(await inside(room, 'cat tests/a')).toBe('base')
    expect(await readdir(join(root, 'elsewhere'))).toEqual([])
  })

  test('can exist next to another one of the same tree', async () => {
    const [one, other] = [await open(way), await open(way, { write: [], remove: ['source'] })]
    expect(await inside(one, 'cat tests/a')).toBe('base')
    expect(await inside(other, 'cat tests/a; ls ..')).toBe('weakenednode_modules\nsub')
  })

  test('has no byte code beside the files it writes, because that may belong to a file replaced in the same second', async () => {
    for (const folder of ['sub/tests', 'sub']) await mkdir(join(top, folder, '__pycache__'))
    const room = await open(way, {
      write: [{ path: 'sub/tests/a.py', bytes: Buffer.from('base'), isExecutable: false }],
      remove: [],
    })
    expect(await inside(room, 'ls -d __pycache__ tests/*')).toBe('__pycache__\ntests/a\ntests/a.py')
  })

  test('passes exit codes on', async () => {
    const room = await open(way)
    await expect(inside(room, 'exit 3')).rejects.toMatchObject({ code: 3 })
  })
})

test.runIf(hasNamespaces)(
  'by namespace: keeps paths and user, and commands that run at once don’t see each other’s files',
  async () => {
    const room = await open('namespace')
    expect(await inside(room, 'pwd; id -u')).toBe(`${join(top, 'sub')}\n${process.getuid?.()}`)
    const marks = await Promise.all(
      ['a', 'b'].map((name) => inside(room, `echo ${name} > mark; sleep 0.05; cat mark`)),
    )
    expect(marks).toEqual(['a', 'b'])
  },
)

test.runIf(hasNamespaces)(
  'by namespace: has the baseline’s files even if our data folder is in the tree',
  async () => {
    const room = await open('namespace', plan, null, top)
    expect(await inside(room, 'cat tests/a; sh tests/deep/-b; ls')).toBe('basebase\ntests')
  },
)

test('gives the reason if no room can be made', async () => {
  const maker = createRoomMaker({ directory: join(root, 'rooms'), clock: systemClock, ways: ['copy'] })
  const opened = await maker.open({
    top: join(root, 'gone'),
    directory: root,
    plan,
    signal: new AbortController().signal,
  })
  expect(opened).toMatchObject({ kind: 'none', reason: expect.stringContaining('gone') })
})

test('removes what a crash left', async () => {
  await open('copy')
  await createRoomMaker({ directory: join(root, 'data', 'rooms'), clock: systemClock }).sweep()
  await expect(access(join(root, 'data', 'rooms'))).rejects.toThrow()
})

describe.each(['namespace', 'copy'] as const)('a room by %s', (way) => {
  const file = (path: string) => ({ path, bytes: Buffer.from('evil'), isExecutable: false })
  const link = (path: string, target: string) => ({
    ...file(path),
    bytes: Buffer.from(target),
    isLink: true as const,
  })
  const outside = () => join(root, 'outside')

  beforeEach(async () => {
    await mkdir(outside())
    await writeFile(join(outside(), 'mine'), 'mine')
    await symlink(outside(), join(top, 'led'))
  })

  test.skipIf(way === 'namespace' && !hasNamespaces).each([
    ['writes above the top', () => ({ write: [file('../outside/evil')], remove: [] })],
    ['writes above the top from a subfolder', () => ({ write: [file('a/../../outside/evil')], remove: [] })],
    ['removes above the top', () => ({ write: [], remove: ['../outside/mine'] })],
    ['removes a folder above the top', () => ({ write: [], remove: ['../outside'] })],
    [
      'writes through a link that it creates',
      () => ({ write: [link('a', outside()), file('a/evil')], remove: [] }),
    ],
    [
      'writes a link through a link',
      () => ({ write: [link('a', outside()), link('a/evil', '/')], remove: [] }),
    ],
  ] as const)('is not made by a plan that %s', async (_, wanted) => {
    await expect(open(way, wanted())).rejects.toThrow('cannot stand in it')
    expect(await readdir(outside())).toEqual(['mine'])
  })

  test.skipIf(way === 'namespace' && !hasNamespaces)(
    'removes and writes nothing behind a link of the tree',
    async () => {
      const room = await open(way, { write: [file('led/evil')], remove: ['led/mine'] })
      const { command, directory } = room.enter(['cat', '../led/evil'])
      const [program = '', ...words] = command
      expect((await run(program, words, { cwd: directory })).stdout).toBe('evil')
      expect(await readdir(outside())).toEqual(['mine'])
      expect(await readFile(join(outside(), 'mine'), 'utf8')).toBe('mine')
    },
  )
})
