import type { ComplexityLevel } from '../vocabulary/complexity.ts'
import type { ComplexityKeywords } from './complexity.ts'
import type { TimeoutRules } from './timeout.ts'

/** `[adaptive_timeout]` whole: what the classifier and the planning of timeouts go by. */
export type AdaptiveTimeoutRules = TimeoutRules & {
  readonly complexity: ComplexityKeywords &
    Readonly<Record<ComplexityLevel, { readonly baseSeconds: number; readonly multiplier: number }>>
}

/** What holds where `pulseward.toml` says nothing, or there is none; design.md section 8. */
export const DEFAULT_ADAPTIVE_TIMEOUT: AdaptiveTimeoutRules = {
  enabled: true,
  complexityScaling: true,
  failureScaling: true,
  modeTimeoutSeconds: 120,
  maxTimeoutSeconds: 3600,
  minTimeoutSeconds: 60,
  timeoutMultiplierPerFailure: 1.5,
  learned: true,
  complexity: {
    simple: { baseSeconds: 60, multiplier: 1, keywords: ['fix', 'update', 'refactor', 'add'] },
    medium: { baseSeconds: 180, multiplier: 1.5, keywords: ['test', 'mock', 'fixture'] },
    complex: { baseSeconds: 300, multiplier: 2, keywords: ['CLI', 'command', 'parser'] },
    ui_heavy: {
      baseSeconds: 600,
      multiplier: 3,
      keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'],
    },
  },
}
