import type { ScoringRules } from './types.ts'

/** The points, limits, shares and intervals in force where `[scoring]` sets nothing else. Points are signed as they are added. */
export const DEFAULT_SCORING: ScoringRules = {
  verifiedRequired: 10,
  verifiedOptional: 5,
  notVerified: -15,
  contradiction: -30,
  unclear: -2,
  thumbsUp: 3,
  thumbsDown: -10,
  minimumTarget: 50,
  maximumTarget: 500,
  historyDays: 7,
  lockdownShare: 0.2,
  tightenedShare: 0.15,
  warningShare: 0.25,
  goodShare: 0.5,
  excellentShare: 0.7,
  outstandingShare: 0.9,
  streakDays: 3,
  lockdownMinutes: 8,
  escalatedMinutes: 10,
  tightenedMinutes: 12,
  excellentMinutes: 20,
  goodMinutes: 17,
}
