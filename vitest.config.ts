import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 30_000,
    // Tests start real child processes; more workers than cores only makes them wait for one another.
    maxWorkers: 2,
  },
})
