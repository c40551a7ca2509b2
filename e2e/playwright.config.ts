import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// As in vitest.config.ts: each test has its own state folder, where nothing is compiled yet.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // Of no consequence where all is well: long enough for a machine that has much else to do. A whole test is a hundred steps, each
  // with the limit below: what takes 12 s alone took 90 with eighteen others waiting for the same two cores.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Every spec starts its own app; two cores can run two at a time.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  projects: [
    // The specs in `app` run in both kinds of app, each other folder in one. What the page alone decides (`@page`) runs in the browser:
    // Electron shows the same page.
    { name: 'serve', testMatch: ['app/*.spec.ts', 'serve/*.spec.ts', 'renderer-gallery/*.spec.ts'] },
    { name: 'electron', testMatch: ['app/*.spec.ts', 'electron/*.spec.ts'], grepInvert: /@page/ },
    { name: 'cli', testMatch: 'cli/*.spec.ts' },
    // Real agent programs, where they are installed: several seconds each to start, twice in some tests.
    { name: 'agents', testMatch: 'agents/*.spec.ts', timeout: 360_000 },
  ],
})
