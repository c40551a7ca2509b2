import type { Benchmark } from './benchmark.ts'
export const overhead: Benchmark = { question: '', options: '', run: async () => {} }
