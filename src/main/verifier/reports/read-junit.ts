import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { OF_A_WHOLE, type TestCase, type TestStatus } from '../../../core/reports/test-report.ts'
import type { CasesReading } from './read-json-report.ts'

/** Deeper than any runner nests its suites. */
const MAX_DEPTH = 200
const ROOTS = new Set(['testsuites', 'testsuite'])

/** The report's text was refused; the message says why. */
class RefusedReport extends Error {}

interface OpenCase {
  name: string
  readonly depth: number
  status: TestStatus
}

/**
 * Reads JUnit XML of whatever runner: every `testcase` counts, failed where a `failure` or `error` stands in it (what surefire and
 * nextest write for tries that were repeated, `flakyFailure` and `rerunFailure`, does not). A `failure` of a suite counts as one of
 * its own. A document type, and with it every entity of the file's own, is refused; so is XML that ends too early. Never throws.
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
      if (open !== null) throw new RefusedReport('a testcase lies within another one')
      open = { name: nameOf(attributes, suites, root), depth, status: statusOf(attributes) }
    } else if (tag === 'failure' || tag === 'error') {
      if (open === null)
        cases.push({ name: `${suites.at(-1) || 'suite'} > ${OF_A_WHOLE.suite}`, status: 'failed' })
      else if (depth === open.depth + 1) {
        open.status = 'failed'
        // Of a module that cannot be imported pytest writes a case of its own.
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

/** Reads a report's XML, calling back for each element; returns why it is refused, in words, or null. Never throws. */
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
    return error instanceof RefusedReport ? words : `it is no whole XML (${words})`
  }
}

function parse(
  text: string,
  onOpen: (tag: SaxesTagPlain) => void,
  onClose: (tag: SaxesTagPlain) => void,
): void {
  const parser = new SaxesParser({ xmlns: false })
  parser.on('doctype', () => {
    throw new RefusedReport('it declares a document type, which a report has no use for')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', onOpen)
  parser.on('closetag', onClose)
  parser.write(wellFormed(text)).close()
}

/** Stands for each letter that XML does not allow. It is never left out: what is left could be markup then (`]]` and `>`). */
const REPLACEMENT = '\uFFFD'
const NOT_ALLOWED = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * The text with what decides nothing about its counts made well-formed, because many writers print what tests print as it is: a mark or
 * blanks before the declaration, control characters, references to them, a `&` that begins no reference.
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

/** Some writers say it by an attribute instead of an element. */
function statusOf({ status = '', result = '' }: Record<string, string>): TestStatus {
  const words = [status, result].map((word) => word.toLowerCase())
  if (words.some((word) => ['failed', 'failure', 'error', 'fail'].includes(word))) return 'failed'
  return words.some((word) => ['skipped', 'notrun', 'disabled', 'suppressed', 'ignored'].includes(word))
    ? 'skipped'
    : 'passed'
}

/** `file > suites > class > test`, what is not there or said twice left out. */
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
