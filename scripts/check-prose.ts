/*
 * `npm run prose`: checks that documents, texts on screen, comments and test names use the words of scripts/prose.yml. To
 * add a rule, add a line there.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProse, readDictionary, readQuotations } from './prose.ts'

const root = join(import.meta.dirname, '..')
const patterns = ['*.md', 'docs/**/*.md', '{src,e2e,bench,scripts,packaging}/**/*.{ts,tsx}']
/** Left out because they quote agents or describe history. */
const LEFT_OUT = /(^|\/)(node_modules|CHANGELOG\.md)|^scripts\/prose\.test\.ts$|^docs\/decisions\//

const dictionary = readDictionary()
const quotations = readQuotations()
let findings = 0
for (const { file, text } of quotations) {
  if (existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(text)) continue
  console.error(`${file} does not quote ${JSON.stringify(text)} any more: remove it from scripts/prose.yml.`)
  findings += 1
}
for (const file of globSync(patterns, { cwd: root }).sort()) {
  if (LEFT_OUT.test(file)) continue
  for (const { line, column, found, expected } of checkProse(
    file,
    readFileSync(join(root, file), 'utf8'),
    dictionary,
    quotations.filter((one) => one.file === file).map((one) => one.text),
  )) {
    console.error(`${file}:${line}:${column} ${JSON.stringify(found)} → ${JSON.stringify(expected)}`)
    findings += 1
  }
}
if (findings > 0) {
  console.error(`${findings} phrases to replace; the dictionary is scripts/prose.yml.`)
  process.exit(1)
}
