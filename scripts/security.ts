/*
 * `npm run security -- [--write] [--missing] [NAME…]`: runs the tests behind the promises in docs/security.md, one file at a
 * time, and reports the results by promise. Results are kept by file, so the run can be split: NAMEs run only the files
 * whose path contains one of them, `--missing` only files that failed or have no kept results. `--write` updates the
 * document and keeps its results for other files.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, release, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { meansHere } from '../src/main/sandbox/testing/contained-world.ts'
import {
  filesOfPromises,
  mergeResults,
  outcomesOf,
  SECURITY_PROMISES,
  type TestResult,
  titleOf,
  type WrittenResults,
  withPromises,
} from './security-promises.ts'
import { readPlaywright } from './security-results.ts'

/** The test results of one file. */
interface Kept {
  readonly day: string
  readonly results: readonly TestResult[]
}

/** Slow tests may take longer: the promises don't depend on how fast or busy a machine is. */
const PATIENTLY = ['--testTimeout', '300000', '--hookTimeout', '300000']

const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/security-results')
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, missing: { type: 'boolean', default: false } },
  allowPositionals: true,
})

mkdirSync(cache, { recursive: true })
for (const file of filesOfPromises()) {
  const isNamed = positionals.length === 0 || positionals.some((name) => file.includes(name))
  if (!isNamed || (values.missing && isDone(keptOf(file)))) continue
  console.log(`\n${file}`)
  const results = run(file)
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(placeOf(file), JSON.stringify({ day, results } satisfies Kept))
}
const kept = filesOfPromises().flatMap((file) => keptOf(file) ?? [])
const documented = join(root, 'docs/security-results.json')
const written = mergeResults(
  JSON.parse(readFileSync(documented, 'utf8')) as WrittenResults,
  { run: await whereAndWhen(kept), ...outcomesOf(kept.flatMap(({ results }) => results)) },
  new Set(filesOfPromises().filter((file) => keptOf(file) !== null)),
)
for (const [promise, outcome] of Object.entries(written.outcomes))
  console.log(`${outcome.padEnd(24)} ${promise}`)
for (const { test, why } of written.skipped) console.log(`skipped: ${test}: ${why}`)
if (values.write) {
  writeFileSync(documented, `${JSON.stringify(written, null, 2)}\n`)
  const path = join(root, 'docs/security.md')
  writeFileSync(path, withPromises(readFileSync(path, 'utf8'), written))
}
process.exitCode = Object.values(written.outcomes).every((outcome) => /^\d+ passed$/.test(outcome)) ? 0 : 1

function placeOf(file: string): string {
  return join(cache, `${file.replaceAll('/', '+')}.json`)
}

function isDone(of: Kept | null): boolean {
  return of?.results.every(({ status }) => status !== 'failed') === true
}

function keptOf(file: string): Kept | null {
  return existsSync(placeOf(file)) ? (JSON.parse(readFileSync(placeOf(file), 'utf8')) as Kept) : null
}

function run(file: string): readonly TestResult[] {
  const results = join(cache, `now-${process.pid}.json`)
  rmSync(results, { force: true })
  const ofPlaywright = file.startsWith('e2e/')
  const [program, args] = ofPlaywright
    ? ['scripts/e2e.mjs', [file, '--reporter', 'list,json']]
    : [
        'node_modules/vitest/vitest.mjs',
        ['run', file, '-t', namesIn(file), ...PATIENTLY, '--reporter', 'default', '--reporter', reporter()],
      ]
  const env = { ...process.env, SECURITY_RESULTS: results, PLAYWRIGHT_JSON_OUTPUT_FILE: results }
  const { stdout } = spawnSync(process.execPath, [join(root, program), ...args], {
    ...{ cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.stdout.write(stdout)
  const missing = stdout.match(/^SKIPPED: .*/gm)?.join(' ') ?? 'it ended without results'
  if (!existsSync(results)) return [{ file, title: file, status: 'failed', why: missing }]
  const text = readFileSync(results, 'utf8')
  const all = ofPlaywright ? readPlaywright(text) : (JSON.parse(text) as TestResult[])
  return all.length === 0 ? [{ file, title: file, status: 'skipped', why: missing }] : all
}

/** Returns a pattern that matches the names of the tests in a file that back a promise. */
function namesIn(file: string): string {
  const names = SECURITY_PROMISES.flatMap(({ tests }) => tests[file] ?? [])
  return names.map(titleOf).join('|')
}

function reporter(): string {
  return join(root, 'scripts/security-reporter.ts')
}

/** Returns date, version, and kind of machine. */
async function whereAndWhen(of: readonly Kept[]): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const means = (await meansHere()).map(([name]) => name)
  return [
    [...new Set(of.map(({ day }) => day))].sort().join(' and '),
    `version ${version}`,
    `${type()} ${release().split('-')[0]}, ${arch()}, ${availableParallelism()} processors`,
    `Node.js ${process.versions.node}`,
    `sandbox: ${means.length === 0 ? 'none' : means.join(' and ')}`,
    process.getuid?.() === 0 ? 'as root' : 'not as root',
  ].join(', ')
}
