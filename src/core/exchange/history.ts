import { z } from 'zod'
import { parseJson } from '../text/json.ts'

/** One day as ArgentOS wrote it; everything else about a day stays unknown. */
export const importedDaySchema = z.object({
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/, { error: 'a day such as 2026-01-31' }),
  score: z.number().min(-1_000_000).max(1_000_000),
  peakScore: z.number().default(0),
  lowestScore: z.number().default(0),
  verifiedCount: z.int().min(0).max(1_000_000).default(0),
  failedCount: z.int().min(0).max(1_000_000).default(0),
  targetReached: z.boolean().default(false),
})

const total = z.number().min(-1e9).max(1e9).optional()

/** ArgentOS's totals; each may be missing. */
export const importedLifetimeSchema = z.object({
  totalVerified: total,
  totalFailed: total,
  totalPoints: total,
  daysTracked: total,
  bestDay: total,
  worstDay: total,
  longestStreak: total,
})

/** An imported history: days newest first, and the floor that its target had reached. */
export const importedHistorySchema = z.object({
  days: z.array(importedDaySchema).min(1).max(366),
  targetFloor: z.number().min(0).max(1_000_000).nullable(),
  /** Lifetime totals, if they cover more than the days. If omitted, the days cover everything. */
  lifetime: importedLifetimeSchema.optional(),
})

export type ImportedHistory = z.infer<typeof importedHistorySchema>

/** The content of a score file, and what could not be read, in words. */
export interface ReadHistory {
  readonly history: ImportedHistory
  readonly left: readonly string[]
}

const MAX_DAYS = 366
const MAX_READ = 5000

/**
 * Reads the days of ArgentOS's `heartbeat-score.json`, newest first, each once, skipping days on which nothing was judged. Each
 * day is read separately, so that an invalid one is named and affects no other. Returns the reason in words if there are none.
 */
export function readScoreFile(text: string): ReadHistory | string {
  const file = objectSchema.safeParse(parseJson(text.replace(/^\uFEFF/, '')))
  if (!file.success) return 'it is not a JSON object'
  const { today, history, lifetime } = file.data
  const left: string[] = []
  const written = [
    ...(today == null ? [] : [today]),
    ...(Array.isArray(history) ? history.slice(0, MAX_READ) : []),
  ]
  const days = written.flatMap((value, index) => {
    const day = importedDaySchema.safeParse(value)
    if (day.success) return [day.data]
    const [issue] = day.error.issues
    left.push(`day ${index + 1}, ${issue?.path.join('.') || 'whole'}: expected ${issue?.message ?? 'a day'}`)
    return []
  })
  const judged = days
    .filter(({ score, verifiedCount, failedCount }) => score !== 0 || verifiedCount + failedCount > 0)
    .toSorted((a, b) => b.date.localeCompare(a.date))
  const once = judged.filter(({ date }, index) => judged[index - 1]?.date !== date)
  if (once.length > MAX_DAYS) left.push(`${once.length - MAX_DAYS} days before ${once[MAX_DAYS - 1]?.date}`)
  if (once.length === 0) return left[0] ?? 'it has no day on which anything was judged'
  const totals = importedLifetimeSchema.safeParse(lifetime ?? {})
  if (!totals.success) left.push('its lifetime totals')
  const floor = floorSchema.safeParse(lifetime)
  return {
    history: {
      days: once.slice(0, MAX_DAYS),
      targetFloor: floor.success ? floor.data.targetFloor : null,
      ...(totals.success && Object.keys(totals.data).length > 0 && { lifetime: totals.data }),
    },
    left,
  }
}

const objectSchema = z.record(z.string(), z.unknown())
const floorSchema = z.object({ targetFloor: z.number().min(0).max(1_000_000) })
