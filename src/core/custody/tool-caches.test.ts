import { expect, test } from 'vitest'
import { isInCache, isTemporaryCache } from './tool-caches.ts'

test.each([
  'node_modules/.tmp/tsconfig.app.tsbuildinfo',
  'web/node_modules/.tmp/tsc',
  'node_modules/.cache/eslint/x',
  '.nx/cache/1/outputs',
  '.nx/workspace-data/graph.json',
  '.wireit/a/state',
  '.testmondata',
  '.testmondata-wal',
  'src/.cspellcache',
])('%s is in a cache', (path) => expect(isInCache(path)).toBe(true))

test.each([
  '.tmp/notes.md',
  '.cache/model.bin',
  'cache/a.json',
  'node_modules/tmp/index.js',
  'node_modules/.prisma/client/index.js',
])('%s is not in a cache', (path) => expect(isInCache(path)).toBe(false))

test.each(['jest_rs', 'tsx-1000', 'node-compile-cache', 'v8-compile-cache-0', 'haste-map-1a2b'])(
  '%s is a cache of the user among temporary files',
  (name) => expect(isTemporaryCache(name)).toBe(true),
)

test.each(['jest', 'jest_project_of_mine', 'tsx', 'phpstan', 'jiti', 'work', 'npm-1a2b'])(
  '%s is not a cache, because it may be anything',
  (name) => expect(isTemporaryCache(name)).toBe(false),
)
