/*
 * `npm run lines`: counts the lines of product code and tests (TypeScript and CSS) in each folder of `src`, and fails if a folder
 * exceeds its number in scripts/lines.json by more than a tenth.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { budgetSchema, linesByFolder, linesTable, overBudget } from './lines.ts'

const src = join(import.meta.dirname, '../src')
const budget = budgetSchema.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'lines.json'), 'utf8')))
const files = globSync('**/*.{ts,tsx,css}', { cwd: src }).sort()
const folders = linesByFolder(
  files.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(src, path), 'utf8')] as const),
)
console.log(linesTable(folders, budget))
const problems = overBudget(folders, budget)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
