import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// As in vitest.config.ts: each test has its own state folder, which starts without compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Matters only for failing tests; long enough for a busy machine. A whole test has a hundred steps, each with the limit below: one that
  // takes 12 s alone took 90 s with eighteen others on the same two cores.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Every spec starts its own app; two cores can handle two at a time.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  projects: [
    // The specs in `app` run in both kinds of app, each other folder in one. Specs that depend only on the page (`@page`) run in the
    // browser, because Electron shows the same page.
    { name: 'serve', testMatch: ['app/*.spec.ts', 'serve/*.spec.ts', 'renderer-gallery/*.spec.ts'] },
    { name: 'electron', testMatch: ['app/*.spec.ts', 'electron/*.spec.ts'], grepInvert: /@page/ },
    { name: 'cli', testMatch: 'cli/*.spec.ts' },
    // Real agent programs, where they are installed: each takes several seconds to start, and some tests start it twice.
    { name: 'agents', testMatch: 'agents/*.spec.ts', timeout: 360_000 },
  ],
})
