import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'bench/**/*.test.ts',
      'scripts/**/*.test.ts',
      'e2e/model-server/*.test.ts',
    ],
    testTimeout: 30_000,
    // Tests start real child processes; more workers than cores only makes them wait for one another.
    maxWorkers: 2,
  },
})
