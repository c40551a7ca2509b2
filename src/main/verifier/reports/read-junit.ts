import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { OF_A_WHOLE, type TestCase, type TestStatus } from '../../../core/reports/test-report.ts'
import type { CasesReading } from './read-json-report.ts'

/** Deeper than any runner nests its suites. */
const MAX_DEPTH = 200
/** A PHPUnit test that asserts nothing: it is a failure only if the run is told so, and then the exit code says so. */
const RISKY = /\bRiskyTestError$/
const ROOTS = new Set(['testsuites', 'testsuite'])

/** The report's text was rejected; the message says why. */
class RefusedReport extends Error {}

interface OpenCase {
  name: string
  readonly depth: number
  status: TestStatus
}

/**
 * Reads JUnit XML from any runner. Every `testcase` counts, as failed if it contains a `failure` or `error` (but not a
 * `flakyFailure` or `rerunFailure`, which surefire and nextest write for repeated tries). A `failure` of a suite counts as its
 * own case. Rejects a document type, and with it all entities that the file defines, and XML that ends too early. Never throws.
 */
export function readJunit(text: string, root: string): CasesReading {
  const cases: TestCase[] = []
  const suites: string[] = []
  let depth = 0
  let open: OpenCase | null = null

  const onOpen = ({ name: tag, attributes }: SaxesTagPlain): void => {
    depth += 1
    if (depth === 1 && !ROOTS.has(tag))
      throw new RefusedReport(`it begins with <${tag}>, not with <testsuites>`)
    if (depth > MAX_DEPTH) throw new RefusedReport(`its elements are nested deeper than ${MAX_DEPTH}`)
    if (tag === 'testsuite' || tag === 'testsuites') suites.push(attributes.name ?? '')
    else if (tag === 'testcase') {
      if (open !== null) throw new RefusedReport('a testcase is inside another one')
      open = { name: nameOf(attributes, suites, root), depth, status: statusOf(attributes) }
    } else if (tag === 'failure' || tag === 'error') {
      if (open === null)
        cases.push({ name: `${suites.at(-1) || 'suite'} > ${OF_A_WHOLE.suite}`, status: 'failed' })
      else if (depth === open.depth + 1) {
        open.status = RISKY.test(attributes.type ?? '') ? 'skipped' : 'failed'
        // For a module that can't be imported, pytest writes a separate case.
        if (attributes.message === 'collection failure') open.name += ` > ${OF_A_WHOLE.collection}`
      }
    } else if (tag === 'skipped' && open?.status === 'passed' && depth === open.depth + 1) {
      open.status = 'skipped'
    }
  }
  const onClose = ({ name: tag }: SaxesTagPlain): void => {
    if (tag === 'testsuite' || tag === 'testsuites') suites.pop()
    if (open !== null && depth === open.depth) {
      cases.push({ name: open.name, status: open.status })
      open = null
    }
    depth -= 1
  }

  const reason = parseXml(text, onOpen, onClose)
  return reason === null ? { ok: true, cases } : { ok: false, reason }
}

/** Reads a report's XML with a callback for each element. Returns why it is rejected, as a sentence, or null. Never throws. */
export function parseXml(
  text: string,
  onOpen: (tag: SaxesTagPlain) => void,
  onClose: (tag: SaxesTagPlain) => void = () => undefined,
): string | null {
  try {
    parse(text, onOpen, onClose)
    return null
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return error instanceof RefusedReport ? words : `it is not complete XML (${words})`
  }
}

function parse(
  text: string,
  onOpen: (tag: SaxesTagPlain) => void,
  onClose: (tag: SaxesTagPlain) => void,
): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', () => {
    throw new RefusedReport('it declares a document type, which a report does not need')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', onOpen)
  parser.on('closetag', onClose)
  parser.write(wellFormed(text)).close()
}

/** Replaces each letter that XML doesn't allow. Removing it could turn the rest into markup (`]]` and `>`). */
const REPLACEMENT = '\uFFFD'
const NOT_ALLOWED = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * Returns well-formed XML without changing what counts. Many writers print test output verbatim: a byte order mark or spaces
 * before the declaration, control characters, references to them, an `&` that begins no reference.
 */
function wellFormed(text: string): string {
  return text
    .replace(/^[\uFEFF\s]+/, '')
    .replace(NOT_ALLOWED, REPLACEMENT)
    .replace(/&(?!(?:[a-z_][\w.-]{0,60}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&amp;')
    .replace(/&#(?:(\d+)|x([\da-f]+));/gi, (reference, decimal?: string, hex?: string) =>
      isAllowed(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
        ? reference
        : REPLACEMENT,
    )
}

function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}

/** Some writers use an attribute instead of an element. */
function statusOf({ status = '', result = '' }: Record<string, string>): TestStatus {
  const words = [status, result].map((word) => word.toLowerCase())
  if (words.some((word) => ['failed', 'failure', 'error', 'fail'].includes(word))) return 'failed'
  return words.some((word) => ['skipped', 'notrun', 'disabled', 'suppressed', 'ignored'].includes(word))
    ? 'skipped'
    : 'passed'
}

/** Returns `file > suites > class > test`, leaving out missing and repeated parts. */
function nameOf(attributes: Record<string, string>, suites: readonly string[], root: string): string {
  const { file = '', classname = '', name = '' } = attributes
  const inner = suites.slice(1).filter((suite) => suite !== 'test')
  const parts = [file, ...inner, classname === 'test' ? '' : classname, name]
  const top = `${root.replace(/[\\/]$/, '')}/`
  const plain = parts
    .map((part) => part.replaceAll('\\', '/').replaceAll(top, ''))
    .filter((part) => part !== '')
  return plain
    .filter((part, index) => plain.indexOf(part) === index || index === plain.length - 1)
    .join(' > ')
}
