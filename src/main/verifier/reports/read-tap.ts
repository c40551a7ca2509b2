import { Parser } from 'tap-parser'
import yaml from 'tap-yaml'
import { OF_A_WHOLE, type TestCase } from '../../../core/reports/test-report.ts'
import { type CasesReading, seenFrom } from './read-json-report.ts'

/** A run has at most as many nested tests as its longest line has indentation; more is an attack on our stack. */
const MAX_DEPTH = 100

/** In characters: what node:test writes about a file that failed takes a tenth of it. Text that is no YAML takes the square of its
 * length to be refused, and the parser has no option to leave it out. */
const MAX_DIAGNOSTICS = 4096
const { parse } = yaml
yaml.parse = (text) => (text.length > MAX_DIAGNOSTICS ? null : parse(text))

/**
 * Reads TAP 12 to 14, from node:test, tap, prove and others. A test point with subtests counts only if it failed and none of
 * them did. A broken plan, a bail-out and points outside the plan count as failed. Never throws.
 */
export function readTap(text: string, root: string): CasesReading {
  if (new RegExp(`^ {${MAX_DEPTH * 4}}`, 'm').test(text))
    return { ok: false, reason: `its subtests are nested deeper than ${MAX_DEPTH}` }
  const cases: TestCase[] = []
  let points = 0
  // Without a plan, the parser makes one up.
  const hasPlan = /^1\.\.\d+/m.test(text)
  let bailOut: string | null = null
  const parsers: Parser[] = []
  try {
    const parser = new Parser({ name: '' })
    listen(parser, [], { cases, parsers, root })
    parser.on('bailout', (reason: unknown) => {
      bailOut = typeof reason === 'string' ? reason : ''
    })
    parser.end(text)
    points = parsers.reduce((sum, { count }) => sum + count, 0)
    if (bailOut !== null)
      cases.push({ name: `(bail-out: ${String(bailOut).slice(0, 200)})`, status: 'failed' })
    else if ((points > 0 || hasPlan) && !parsers.every(isPlanKept))
      cases.push({ name: '(the plan was not kept)', status: 'failed' })
  } catch (error) {
    return { ok: false, reason: `it is not TAP (${error instanceof Error ? error.message : String(error)})` }
  }
  if (points === 0 && !hasPlan && bailOut === null)
    return { ok: false, isNothing: true, reason: 'it contains no TAP' }
  return { ok: true, cases }
}

/** Counted here, because the parser stops checking after a duplicate number, which node:test writes. */
function isPlanKept({ planStart, planEnd, count, failures }: Parser): boolean {
  const lacksPlan = planStart === -1 || failures.some(({ tapError }) => tapError === 'no plan')
  return !lacksPlan && planEnd - planStart + 1 === count
}

interface Collected {
  readonly cases: TestCase[]
  readonly parsers: Parser[]
  readonly root: string
}

interface Seen {
  failed: number
  points: number
}

/** Collects the points of a parser and of its future children. Returns how many it had. */
function listen(parser: Parser, above: readonly string[], collected: Collected): Seen {
  const seen: Seen = { failed: 0, points: 0 }
  /** Belongs to the child that just ended; its own point comes next. */
  let child: Seen | null = null
  collected.parsers.push(parser)
  parser.on('child', (inner: Parser) => {
    child = listen(inner, [...above, seenFrom(collected.root, inner.name)], collected)
  })
  parser.on('assert', (point: Point) => {
    seen.points += 1
    const isSkipped = Boolean(point.skip) || (Boolean(point.todo) && !point.ok)
    const isFailed = !point.ok && !isSkipped
    if (isFailed) seen.failed += 1
    const its = child
    child = null
    if (its !== null && its.points > 0 && !(isFailed && its.failed === 0)) return
    const parts = [...above, seenFrom(collected.root, point.name) || `test ${point.id}`]
    // A file that node:test could not load, or that exited, is a point with the file's name.
    const name = [...parts, ...(isFailed && isFile(point) ? [OF_A_WHOLE.file] : [])].join(' > ')
    collected.cases.push({ name, status: isFailed ? 'failed' : isSkipped ? 'skipped' : 'passed' })
  })
  return seen
}

interface Point {
  readonly ok: boolean
  readonly name: string
  readonly skip: unknown
  readonly todo: unknown
  readonly id: number
  readonly diag: unknown
}

/**
 * Whether a point is a file. Newer versions of node:test name files relative to the folder, and report an exit code for files but not for
 * tests.
 */
function isFile({ name, diag }: Point): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(name)) return false
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(name)) return true
  return typeof diag === 'object' && diag !== null && 'exitCode' in diag
}
