import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { asStored, type TestReport } from '../../core/reports/test-report.ts'
import { readStored } from '../files/bounded-file.ts'
import type { BaseReports } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import type { Check } from './check-reach.ts'
import { keepFile } from './keep-file.ts'
import type { GuardedFiles } from './scan.ts'

const names = z.array(z.string())
const reportSchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  executed: z.number(),
  total: z.number(),
  names: z.object({ passed: names, failed: names, skipped: names }),
  areNamesCut: z.boolean(),
}) satisfies z.ZodType<TestReport>
const documentSchema = z.object({
  $schema: z.literal('pulseward.base-reports.v1'),
  of: z.string(),
  reports: z.array(z.tuple([z.string(), reportSchema.nullable()])),
})

/** Enough, because each report keeps at most 20,000 names. */
const MAX_BYTES = 64 * 1024 * 1024

/** Stores on disk what the test runners reported for the baseline. Returns nothing for a baseline other than `of`. Never rejects. */
export function createBaseReports(
  directory: string,
  log: Pick<Log, 'warn'>,
): {
  readonly read: (of: string) => Promise<BaseReports>
  readonly write: (of: string, reports: BaseReports) => Promise<void>
} {
  const path = join(directory, 'reports.json')
  let known: { readonly of: string; readonly reports: BaseReports } | null = null
  return {
    read: async (of) => {
      known ??= await readDocument(path)
      return known?.of === of ? known.reports : new Map()
    },
    write: async (of, reports) => {
      known = { of, reports }
      const text = JSON.stringify(
        { $schema: 'pulseward.base-reports.v1', of, reports: [...reports] },
        asStored,
      )
      await keepFile(path, text, log)
    },
  }
}

async function readDocument(path: string): Promise<{ of: string; reports: BaseReports } | null> {
  const stored = await readStored(documentSchema, path, MAX_BYTES)
  return stored === null ? null : { of: stored.of, reports: new Map(stored.reports) }
}

/** Returns a name for a baseline with its checks; it changes whenever a test or a command does. */
export function baseName(base: GuardedFiles, checks: readonly Check[]): string {
  const before = knownNames.get(base)
  if (before?.checks === checks) return before.name
  const name = nameOf(base, checks)
  knownNames.set(base, { checks, name })
  return name
}

/** Cached: an attempt asks several times about thousands of files, and a base is replaced, never changed. */
const knownNames = new WeakMap<GuardedFiles, { readonly checks: readonly Check[]; readonly name: string }>()

function nameOf(base: GuardedFiles, checks: readonly Check[]): string {
  const hash = createHash('sha256').update(JSON.stringify(checks))
  for (const [path, { content }] of [...base].sort(([one], [other]) => (one < other ? -1 : 1)))
    if (!path.startsWith('.git/')) hash.update(`\0${path}\0${content}`)
  return hash.digest('hex')
}
