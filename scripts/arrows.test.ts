import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Sources in the layout of this repository; the API may not import from main. */
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-arrows-'))
  const files = {
    'src/main/ports/log.ts': 'export interface Log {}\nexport const level = 1\n',
    'src/core/score.ts': 'export interface Score {}\n',
    'src/api/value.ts': "import { level } from '../main/ports/log.ts'\nexport const l = level\n",
    'src/api/type.ts': "import type { Log } from '../main/ports/log.ts'\nexport type L = Log\n",
    'src/api/inline.ts': "import { type Log } from '../main/ports/log.ts'\nexport type L = Log\n",
    'src/api/again.ts': "export type { Log } from '../main/ports/log.ts'\n",
    'src/api/element.tsx':
      "import type { Log } from '../main/ports/log.ts'\nexport const E = (log: Log) => <b>{String(log)}</b>\n",
    'src/api/late.ts': "export const late = () => import('../main/ports/log.ts')\n",
    'src/api/fine.ts': "import type { Score } from '../core/score.ts'\nexport type S = Score\n",
    'tsconfig.node.json': '{}',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('sees every kind of import in TypeScript, and allows no suppression', async () => {
  const { stdout, stderr } = await run(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      'src',
    ],
    { cwd: folder },
  ).catch((error: { stdout: string; stderr: string }) => error)
  const refused = [...stdout.matchAll(/error api-knows-core-only: \S+\/(\S+) →/g)].map(([, name]) => name)
  expect(refused.toSorted()).toEqual([
    'again.ts',
    'element.tsx',
    'inline.ts',
    'late.ts',
    'type.ts',
    'value.ts',
  ])
  expect(stdout).toContain('(6 errors, 0 warnings)')
  expect(stdout + stderr).not.toContain('missing-')
}, 60_000)
