import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
      'scripts/**/*.test.ts',
      'packaging/**/*.test.ts',
      'e2e/model-server/*.test.ts',
    ],
    setupFiles: ['src/main/testing/own-state.ts'],
    // Of no consequence where all is well: what is waited for comes late on a machine that has much else to do.
    expect: { poll: { timeout: 20_000 } },
    // They end what hangs. What starts a dozen processes took 18 s with ten others waiting for the same two cores.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // Tests start real child processes; more workers than cores only makes them wait for one another.
    maxWorkers: 2,
  },
})
