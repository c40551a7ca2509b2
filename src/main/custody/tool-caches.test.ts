import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { isInCache, isQuickCache } from '../../core/custody/tool-caches.ts'
import { cachesExcept, clearCaches, clearCachesOfUser } from './tool-caches.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-caches-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), 'x')
  }
}

const clear = (caches: readonly string[], dependencies: readonly string[] = [], sinceMs = 0) =>
  clearCaches(join(root, 'top'), { caches, dependencies }, (changedMs) => changedMs >= sinceMs, {
    kept: new Set(),
    log: { warn: (message) => expect.fail(message) },
  })

it.each([
  ['a/__pycache__/b.pyc', true],
  ['.eslintcache', true],
  ['packages/a/tsconfig.tsbuildinfo', true],
  ['node_modules/.cache/x', true],
  ['.cache/x', false],
  ['src/__pycache__.py', false],
  ['a/b.py', false],
])('%s is in a cache: %s', (path, expected) => {
  expect(isInCache(path)).toBe(expected)
})

it.each([
  ['a/__pycache__', true],
  ['.pytest_cache', true],
  ['.mypy_cache', false],
  ['tsconfig.tsbuildinfo', false],
])('%s is rebuilt within moments: %s', (path, expected) => {
  expect(isQuickCache(path)).toBe(expected)
})

it('clears caches of sources and packages by their change time, which programs cannot set', async () => {
  await write('top/a/__pycache__/old.pyc')
  const sinceMs = Date.now() + 1
  await expect.poll(() => Date.now()).toBeGreaterThan(sinceMs + 10)
  await write('top/a/__pycache__/new.pyc', 'top/.venv/lib/p/__pycache__/p.pyc', 'top/node_modules/.cache/x')
  await utimes(join(root, 'top/a/__pycache__/new.pyc'), 1, 1)
  await clear(['a/__pycache__'], ['.venv', 'node_modules'], sinceMs)
  expect(
    [
      'a/__pycache__/old.pyc',
      'a/__pycache__/new.pyc',
      '.venv/lib/p/__pycache__/p.pyc',
      'node_modules/.cache/x',
    ].map((path) => existsSync(join(root, 'top', path))),
  ).toEqual([true, false, false, false])
})

it('clears byte code of a source that changed since, even if a check wrote it', async () => {
  const [stale, other] = ['cart', 'tax'].map((name) => `a/__pycache__/${name}.cpython-311.pyc`) as [
    string,
    string,
  ]
  await write(`top/${stale}`, `top/${other}`, 'top/a/tax.py')
  const sinceMs = Date.now() + 1
  await expect.poll(() => Date.now()).toBeGreaterThan(sinceMs + 10)
  await write('top/a/cart.py')
  await clear(['a/__pycache__'], [], sinceMs)
  expect([stale, other].map((path) => existsSync(join(root, 'top', path)))).toEqual([false, true])
})

it('removes a link that replaces a cache, and nothing behind it', async () => {
  await write('outside/key', 'top/a/b.py')
  await symlink(join(root, 'outside'), join(root, 'top/a/__pycache__'))
  await clear(['a/__pycache__'])
  expect(existsSync(join(root, 'outside/key'))).toBe(true)
  expect(existsSync(join(root, 'top/a/__pycache__'))).toBe(false)
})

it('follows no link that leads to a cache', async () => {
  await write('outside/__pycache__/key.pyc', 'top/b.py')
  await symlink(join(root, 'outside'), join(root, 'top/a'))
  await clearCaches(join(root, 'top'), { caches: ['a/__pycache__'], dependencies: [] }, () => true, {
    kept: new Set(),
    log: { warn: () => {} },
  })
  expect(existsSync(join(root, 'outside/__pycache__/key.pyc'))).toBe(true)
})

it('lists whole caches, but lists single files for a cache that contains a file of the work', async () => {
  await write(
    'top/a/__pycache__/a.pyc',
    'top/b/__pycache__/b.pyc',
    'top/b/__pycache__/kept.txt',
    'top/.eslintcache',
  )
  const caches = await cachesExcept(join(root, 'top'), async () => ['a.py', 'b/__pycache__/kept.txt'])
  expect([...caches].sort()).toEqual(['.eslintcache', 'a/__pycache__', 'b/__pycache__/b.pyc'])
})

it('clears what an agent wrote to caches of the user, and nothing else there', async () => {
  vi.stubEnv('TMPDIR', join(root, 'tmp'))
  vi.stubEnv('HOME', join(root, 'home'))
  await write('tmp/jest_rs/haste', 'tmp/phpstan/src/main.php', 'home/.cache/psalm/old')
  const sinceMs = Date.now() + 1
  await expect.poll(() => Date.now()).toBeGreaterThan(sinceMs + 10)
  await write('tmp/jest_rs/transform/cart', 'tmp/tsx-1000/1', 'tmp/mine/2', 'home/.cache/psalm/new')
  // A running program listens there.
  const server = createServer().listen(join(root, 'tmp/tsx-1000/4711.pipe'))
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  await clearCachesOfUser((changedMs) => changedMs >= sinceMs, { warn: (message) => expect.fail(message) })
  expect(
    [
      ...['tmp/jest_rs/haste', 'tmp/phpstan/src/main.php', 'tmp/mine/2', 'home/.cache/psalm/old'],
      'tmp/tsx-1000/4711.pipe',
      ...['tmp/jest_rs/transform/cart', 'tmp/tsx-1000/1', 'home/.cache/psalm/new'],
    ].map((path) => existsSync(join(root, path))),
  ).toEqual([true, true, true, true, true, false, false, false])
})
