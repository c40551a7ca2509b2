import { z } from 'zod'

/** How heavy a task's work is expected to be, lightest first. */
export const COMPLEXITY_LEVELS = ['simple', 'medium', 'complex', 'ui_heavy'] as const

export type ComplexityLevel = (typeof COMPLEXITY_LEVELS)[number]

export const complexitySchema = z.enum(COMPLEXITY_LEVELS)

/** For use within a sentence. */
export const COMPLEXITY_WORDS: Readonly<Record<ComplexityLevel, string>> = {
  simple: 'simple',
  medium: 'medium',
  complex: 'complex',
  ui_heavy: 'UI-heavy',
}
