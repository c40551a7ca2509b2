import { OF_A_WHOLE, type TestCase } from '../../../core/reports/test-report.ts'
import { type CasesReading, unnamed } from './read-json-report.ts'
import { readTap } from './read-tap.ts'

/*
 * Parses the output of `prove -v`: for each file its name and dots, its TAP output verbatim, and how it ended; then
 * the total.
 *
 *   t/cart.t ......
 *   ok 1 - adds
 *   1..1
 *   ok
 *   t/net.t ....... skipped: no network
 *   Files=2, Tests=1, …
 */
const BEGUN = /^((?!#|(?:not )?ok\b)\S+(?: \S+)*? \.{2,}) ?(?:(skipped: .*)|ok)?\s*$/
/** How a file ended; spread over several lines if it failed. */
const ENDING =
  /^(?:ok|Dubious, test returned .*|Failed \d+\/\d+ subtests\s*|No subtests run\s*|All \d+ subtests passed\s*|\t\(.*\)\s*)$/
const SUM = /^(?:Test Summary Report|All tests successful\.?.*|Files=\d+, Tests=\d+,.*)$/

/** Reads the verbose output of prove; names are `file > test`. Never throws. */
export function readProve(text: string, root: string): CasesReading {
  const cases: TestCase[] = []
  let open: { readonly file: string; readonly lines: string[] } | null = null
  let hasSum = false
  /** The dots end in the same column for every file. Other lines with dots were printed by a test. */
  let width: number | null = null
  /** No file's tests were printed. */
  let isQuiet = true
  const close = (): void => {
    if (open !== null) for (const one of casesOf(open.file, open.lines, root)) cases.push(one)
    open = null
  }
  for (const line of text.split(/\r?\n/)) {
    const [, head = '', skipped] = hasSum ? [] : (BEGUN.exec(line) ?? [])
    const file = head.length === (width ?? head.length) ? /^.+(?= \.+$)/.exec(head)?.[0] : undefined
    if (file !== undefined) width = head.length
    if (SUM.test(line)) hasSum = true
    if (file !== undefined || hasSum) close()
    if (file !== undefined) isQuiet &&= /\.\. ok\s*$/.test(line) || skipped !== undefined
    if (file === undefined) (open as { lines: string[] } | null)?.lines.push(line)
    else if (skipped === undefined) open = { file, lines: [] }
    else cases.push({ name: `${file} > ${OF_A_WHOLE.file}`, status: 'skipped' })
  }
  close()
  if (width === null) return { ok: false, isNothing: true, reason: 'it is not what prove -v prints' }
  if (isQuiet && /^All tests successful/m.test(text)) return unnamed('prove -v')
  if (!hasSum) cases.push({ name: '(prove did not come to its end)', status: 'failed' })
  return { ok: true, cases }
}

function casesOf(file: string, lines: readonly string[], root: string): readonly TestCase[] {
  const last = lines.findLastIndex((line) => line.trim() !== '' && !ENDING.test(line))
  const endings = lines.slice(last + 1).filter((line) => line.trim() !== '')
  const reading = readTap(lines.slice(0, last + 1).join('\n'), root)
  const read = reading.ok
    ? reading.cases.map(({ name, status }) => ({ name: `${file} > ${name}`, status }))
    : []
  const isGreen = endings[0] === 'ok' || /^All /.test(endings[0] ?? '')
  const isRed = read.some(({ status }) => status === 'failed')
  return isGreen && reading.ok
    ? read
    : isRed
      ? read
      : [...read, { name: `${file} > ${OF_A_WHOLE.file}`, status: 'failed' }]
}
