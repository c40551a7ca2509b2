import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FileDifference } from '../../core/verification/types.ts'
import { createScratchFolder, differenceMadeBy } from './testing/scratch-folder.ts'

/*
 * Whatever happens to a repository and its files, the difference is that of the two trees, file by file. The model reads the trees itself
 * and knows nothing about git except the rule for ignored files.
 */

const path = fc.constantFrom('a', 'b', 'd/e', 'd/f', 'g h', 'x.log')
const content = fc.constantFrom('', 'one', 'two', 'three')

/** Shell commands; if one fails, it does nothing, or only part of its work. */
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(path, content).map(([to, text]) => `mkdir -p d; printf '${text}' > '${to}'`),
  },
  { weight: 2, arbitrary: path.map((to) => `printf more >> '${to}'`) },
  { weight: 2, arbitrary: path.map((which) => `rm -rf '${which}'`) },
  { weight: 2, arbitrary: fc.tuple(path, path).map(([from, to]) => `mv '${from}' '${to}'`) },
  { weight: 1, arbitrary: path.map((to) => `ln -sfn one '${to}'`) },
  { weight: 1, arbitrary: path.map((which) => `touch '${which}'`) },
  { weight: 1, arbitrary: path.map((which) => `chmod +x '${which}'`) },
  { weight: 1, arbitrary: fc.constant('rm -rf d; printf one > d') },
  { weight: 3, arbitrary: fc.constant('git add -A') },
  { weight: 3, arbitrary: fc.constant('git add -A; git commit -qm all') },
  { weight: 1, arbitrary: path.map((which) => `git add '${which}'`) },
  { weight: 1, arbitrary: path.map((which) => `git rm -q --cached '${which}'`) },
  { weight: 1, arbitrary: path.map((which) => `git checkout -q -- '${which}'`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'git commit -qm staged',
      'git commit -qam tracked',
      'git stash -q',
      'git stash -qu',
      'git stash pop -q',
      'git reset -q --hard',
      'git reset -q --hard HEAD~1',
      'git reset -q --soft HEAD~1',
      'git reset -q HEAD~1',
      'git checkout -q other',
      'git checkout -qB other',
      'git checkout -q main',
      'git merge -q other',
      'git checkout -q --orphan fresh',
    ),
  },
)

function readTree(directory: string, below = ''): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of readdirSync(join(directory, below))) {
    const inside = join(below, name)
    const stats = lstatSync(join(directory, inside))
    if (name === '.git' || name.endsWith('.log')) continue
    if (stats.isDirectory()) for (const [path, text] of readTree(directory, inside)) files.set(path, text)
    else if (stats.isSymbolicLink()) files.set(inside, `-> ${readlinkSync(join(directory, inside))}`)
    else files.set(inside, readFileSync(join(directory, inside), 'utf8'))
  }
  return files
}

function compareTrees(before: Map<string, string>, after: Map<string, string>) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return {
    added: paths.filter((path) => !before.has(path)),
    deleted: paths.filter((path) => !after.has(path)),
    modified: paths.filter(
      (path) => before.has(path) && after.has(path) && before.get(path) !== after.get(path),
    ),
  }
}

/** Splits renames, after checking each against the trees. */
function withoutRenames(difference: FileDifference, before: Map<string, string>, after: Map<string, string>) {
  for (const { from, to } of difference.renamed) expect(after.get(to)).toBe(before.get(from))
  return {
    added: [...difference.added, ...difference.renamed.map(({ to }) => to)].sort(),
    deleted: [...difference.deleted, ...difference.renamed.map(({ from }) => from)].sort(),
    modified: difference.modified,
  }
}

it('the difference is that of the two trees, whatever happened', { timeout: 120_000 }, async () => {
  const operations = fc.array(operation, { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(operations, operations, async (first, then) => {
      const folder = createScratchFolder()
      try {
        folder.makeRepository({ a: 'one', 'd/e': 'two' })
        folder.write('.git/info/exclude', '*.log\n')
        const run = (commands: readonly string[]): void =>
          folder.sh(commands.map((command) => `{ ${command}; } || true`).join('\n'))
        run(first)
        const before = readTree(folder.path)
        const difference = await differenceMadeBy(() => run(then), folder.path)
        const after = readTree(folder.path)
        expect(withoutRenames(difference, before, after)).toEqual(compareTrees(before, after))
        expect(difference.incomplete).toBeNull()
      } finally {
        folder.dispose()
      }
    }),
    { numRuns: 40 },
  )
})
