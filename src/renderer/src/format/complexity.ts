import type { Complexity } from '../../../api/schemas/task.ts'

export const COMPLEXITY_WORDS: Readonly<Record<Complexity, string>> = {
  simple: 'simple',
  medium: 'medium',
  complex: 'complex',
  ui_heavy: 'UI-heavy',
}
