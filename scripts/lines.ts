import { z } from 'zod'

/** Lines of a folder of `src`. */
export interface Lines {
  readonly product: number
  readonly tests: number
}

/** By folder: the lines that it may have, plus a tenth, and why it needs them. */
export type Budget = Readonly<Record<string, Lines & { readonly reason: string }>>

const count = z.int().nonnegative()

export const budgetSchema = z.record(
  z.string(),
  z.strictObject({ product: count, tests: count, reason: z.string().trim().min(1, 'Say why.') }),
) satisfies z.ZodType<Budget>

const TEST = /\.test(-d)?\.tsx?$|\/(testing|fixtures)\//

/** Adds up lines by top folder. Paths are from `src`, with `/`; a file at the top counts for the folder `.`. */
export function linesByFolder(
  files: Iterable<readonly [path: string, text: string]>,
): Readonly<Record<string, Lines>> {
  const folders: Record<string, { product: number; tests: number }> = {}
  for (const [path, text] of files) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
    folders[folder] ??= { product: 0, tests: 0 }
    folders[folder][TEST.test(path) ? 'tests' : 'product'] += text.split('\n').length - 1
  }
  return folders
}

/** Returns a sentence for each number that is more than a tenth over the budget, and for each folder without one. */
export function overBudget(folders: Readonly<Record<string, Lines>>, budget: Budget): readonly string[] {
  const entries = Object.entries(folders)
  return [
    ...Object.keys(budget)
      .filter((folder) => !(folder in folders))
      .map((folder) => `src/${folder} does not exist: remove it from scripts/lines.json.`),
    ...entries.flatMap(([folder, lines]) => {
      const allowed = budget[folder]
      if (allowed === undefined) return [`src/${folder} has no budget: add it to scripts/lines.json.`]
      return (['product', 'tests'] as const)
        .filter((kind) => lines[kind] * 10 > allowed[kind] * 11)
        .map((kind) => tooMany(folder, kind, lines[kind], allowed[kind]))
    }),
  ]
}

function tooMany(folder: string, kind: keyof Lines, lines: number, allowed: number): string {
  const limit = Math.floor((allowed * 11) / 10)
  return `src/${folder} has ${shown(lines)} lines of ${kind}, ${shown(lines - limit)} more than its limit of ${shown(limit)}: ${shown(allowed)} in scripts/lines.json and a tenth. Make it smaller, or raise "${kind}" of "${folder}" there in the same commit and say why under "reason".`
}

/** Returns the table that `npm run lines` prints: each folder's lines and, in brackets, its budget. */
export function linesTable(folders: Readonly<Record<string, Lines>>, budget: Budget): string {
  const total = (kind: keyof Lines) => Object.values(folders).reduce((sum, lines) => sum + lines[kind], 0)
  const rows = Object.entries(folders).map(([folder, lines]) => [
    folder,
    ...(['product', 'tests'] as const).map(
      (kind) => `${shown(lines[kind])} (${shown(budget[folder]?.[kind] ?? 0)})`,
    ),
  ])
  return [['src/', 'product', 'tests'], ...rows, ['total', shown(total('product')), shown(total('tests'))]]
    .map(
      ([folder = '', product = '', tests = '']) =>
        folder.padEnd(10) + product.padStart(18) + tests.padStart(18),
    )
    .join('\n')
}

function shown(lines: number): string {
  return lines.toLocaleString('en-US')
}
