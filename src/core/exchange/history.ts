import { z } from 'zod'

/** One day as ArgentOS wrote it; all else of a day stays unknown. */
export const importedDaySchema = z.object({
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/, { error: 'a day such as 2026-01-31' }),
  score: z.number().min(-1_000_000).max(1_000_000),
  peakScore: z.number().default(0),
  lowestScore: z.number().default(0),
  verifiedCount: z.int().min(0).max(1_000_000).default(0),
  failedCount: z.int().min(0).max(1_000_000).default(0),
  targetReached: z.boolean().default(false),
})

/** A history that comes from elsewhere: days newest first, and the floor that its target had reached. */
export const importedHistorySchema = z.object({
  days: z.array(importedDaySchema).min(1).max(366),
  targetFloor: z.number().min(0).max(1_000_000).nullable(),
})

export type ImportedHistory = z.infer<typeof importedHistorySchema>

const scoreFileSchema = z.object({
  today: importedDaySchema.nullish(),
  history: z.array(importedDaySchema).max(5_000).default([]),
  lifetime: z.object({ targetFloor: z.number().min(0).max(1_000_000).nullish() }).nullish(),
})

/**
 * What a `heartbeat-score.json` of ArgentOS's says: its days, newest first, each once; a day on which nothing was judged is none. The
 * text where it is none, in words.
 */
export function readScoreFile(text: string): ImportedHistory | string {
  const parsed = scoreFileSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `${issue?.path.map(String).join('.') || 'it'}: expected ${issue?.message ?? 'something else'}`
  }
  const { today, history, lifetime } = parsed.data
  const days = [...(today == null ? [] : [today]), ...history]
    .filter(({ score, verifiedCount, failedCount }) => score !== 0 || verifiedCount + failedCount > 0)
    .toSorted((a, b) => b.date.localeCompare(a.date))
  const once = days.filter(({ date }, index) => days[index - 1]?.date !== date).slice(0, 366)
  if (once.length === 0) return 'it has no day on which anything was judged'
  return { days: once, targetFloor: lifetime?.targetFloor ?? null }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}
