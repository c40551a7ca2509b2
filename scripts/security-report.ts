/*
 * What docs/security.md promises, with how its tests went: `node scripts/security-report.ts results.json`, a file of vitest's JSON reporter.
 */
import { readFileSync } from 'node:fs'
import { reportPromises } from './security-promises.ts'

const file = process.argv[2]
if (file === undefined) {
  console.error('Name a result file: npx vitest run --reporter=json --outputFile=results.json')
  process.exit(2)
}
console.log(`| promised | tests |\n|---|---|\n${reportPromises(JSON.parse(readFileSync(file, 'utf8')))}`)
