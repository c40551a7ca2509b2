import { z } from 'zod'
import { PENALTIES, REWARDS, SHIELDS, STANDING_LEVELS } from './standing.ts'

/* Separate from the words, which the desktop needs before its window: it starts without zod. */

export const penaltySchema = z.enum(PENALTIES)
export const rewardSchema = z.enum(REWARDS)
export const standingLevelSchema = z.enum(STANDING_LEVELS)
export const shieldSchema = z.enum(SHIELDS)
