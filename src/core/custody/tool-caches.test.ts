import { expect, test } from 'vitest'
import { isInCache } from './tool-caches.ts'

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
])('%s is in none', (path) => expect(isInCache(path)).toBe(false))
