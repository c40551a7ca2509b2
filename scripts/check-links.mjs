/*
 * Checks that every relative link and picture in README and docs exists.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: root }),
]
const broken = []
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:|#)/.test(target)) continue
    const path = join(root, dirname(file), decodeURI(target.split('#')[0]))
    if (!existsSync(path)) broken.push(`${file}: ${target}`)
  }
}
if (broken.length > 0) {
  console.error(`Broken links:\n${broken.join('\n')}`)
  process.exit(1)
}
