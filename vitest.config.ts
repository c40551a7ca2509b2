import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Tests start the same programs hundreds of times: what Node.js compiled of them is kept, which takes a third off their time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const SCENES = 'src/cli/scenes/*.test.ts'
/** They replace a module of Node.js, which must not be loaded before. */
const MOCKING = ['src/main/snapshot/kept-folders.test.ts', 'src/main/snapshot/walk-untyped.test.ts']

export default defineConfig({
  test: {
    setupFiles: ['src/main/testing/own-state.ts', 'src/main/testing/fixed-seed.ts'],
    // Of no consequence where all is well: what is waited for comes late on a machine that has much else to do.
    expect: { poll: { timeout: 20_000 } },
    // What a test replaces is not there for the next one, nor for the next file in the same worker.
    unstubEnvs: true,
    restoreMocks: true,
    // They end what hangs. What starts a dozen processes took 18 s with ten others waiting for the same two cores.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // Tests start real child processes; more workers than cores only makes them wait for one another.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          // The inner loop: rules and page, without processes or files. `npx vitest --project unit` reruns what a change touches.
          name: 'unit',
          include: ['src/{core,api,renderer}/**/*.test.{ts,tsx}'],
          // They keep nothing in modules, so one worker loads the schemas once for all of its files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Whatever touches the world: real processes, folders, git, hosts.
          name: 'parts',
          include: [
            'src/{main,cli,action,preload}/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
            'packaging/**/*.test.ts',
          ],
          exclude: [SCENES, ...MOCKING],
          // Each file would load the whole program anew, which took a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'parts-mocking', include: MOCKING } },
      {
        extends: true,
        test: {
          // Every liar and honest double through the whole command: what the tables of `core/judgement` say in milliseconds, once more with real
          // processes. `npm run scenes`; the workflows run them in shards.
          name: 'scenes',
          include: [SCENES],
        },
      },
    ],
  },
})
