import type { ChangeVerdict } from '../types.ts'
import { equalWords, plain, sideWords, verdictWords } from './words.ts'

/** GitHub's limit for a comment; a job summary may be larger. */
const MAX_BYTES = 64 * 1024 - 1
const ROWS = 100
/** Few enough that the longest of them leave room for the table. */
const REASONS = 20

/** Returns the verdict as a job summary: verdict, one table of claims and measurements, findings. Less than 64 KiB. */
export function markdown(result: ChangeVerdict): string {
  const sections = [
    [`## Pulseward: ${verdictWords(result)}`, '', ...reasonLines(result.reasons)],
    table(
      '### Claims and measurements',
      ['Claim', 'Claimed', 'Measured', ''],
      [
        ...contradictedFirst(result.claims).map(({ text, claimed, measured, equal }) => [
          text,
          claimed,
          measured ?? '–',
          equalWords(equal),
        ]),
        ...result.checks.map(({ name, base, head, cleanRoom }) => [
          `\`${name}\``,
          `base: ${sideWords(base)}`,
          `head: ${sideWords(head)}${cleanRoom === null ? '' : `; base’s check files: ${sideWords(cleanRoom)}`}`,
          head?.status ?? '',
        ]),
      ],
    ),
    table(
      '### Findings',
      ['Severity', 'Where', 'What'],
      result.custody.map(({ severity, path, line, message }) => [
        severity,
        `${path}${line === null ? '' : `:${line}`}`,
        message,
      ]),
    ),
    table(
      '### Tests lost',
      ['Test'],
      result.tests.lost.map((name) => [name]),
    ),
    table(
      '### Tests added',
      ['Test', 'On the base'],
      result.tests.added.map(({ name, redFirst }) => [
        name,
        redFirst === null ? 'not known' : redFirst ? 'fails' : 'passes',
      ]),
    ),
    [
      `<sub>${short(result.base.commit)}..${short(result.head.commit)} · policy: ${cell(result.policy.source)} · Pulseward ${cell(result.verifier.version)}</sub>`,
    ],
  ].filter((lines) => lines.length > 0)
  return withinLimit(sections)
}

function reasonLines(reasons: readonly string[]): readonly string[] {
  const more = reasons.length > REASONS ? [`- and ${reasons.length - REASONS} more`] : []
  return [...reasons.slice(0, REASONS).map((reason) => `- ${cell(reason)}`), ...more]
}

function contradictedFirst(claims: ChangeVerdict['claims']): ChangeVerdict['claims'] {
  return [...claims.filter(({ equal }) => equal === false), ...claims.filter(({ equal }) => equal !== false)]
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return []
  const more = rows.length > ROWS ? ['', `and ${rows.length - ROWS} more`] : []
  return [
    title,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.slice(0, ROWS).map((row) => line(row.map(cell))),
    ...more,
  ]
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

const MAX_CELL = 300

/** Escapes the author's names and messages, so that nothing in them is markup, a mention or a link. */
function cell(text: string): string {
  const short = plain(text).slice(0, MAX_CELL)
  return short.replace(/[\\`*_{}[\]<>()#+!|~@&:/-]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Keeps as many lines as fit, because every line of a table makes sense by itself. */
function withinLimit(sections: readonly (readonly string[])[]): string {
  const lines = sections.flatMap((section, at) => (at === 0 ? section : ['', ...section]))
  const kept: string[] = []
  let bytes = 0
  for (const each of lines) {
    bytes += bytesOf(each) + 1
    if (bytes > MAX_BYTES - 100) {
      kept.push('', '_The rest does not fit in here; it is in the JSON._')
      break
    }
    kept.push(each)
  }
  return `${kept.join('\n')}\n`
}

function short(commit: string): string {
  return cell(commit.slice(0, 10))
}

/** Returns an upper bound: a UTF-16 code unit takes at most three bytes. */
function bytesOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- all of ASCII takes one byte
  return text.length + 2 * text.replace(/[\x00-\x7f]+/g, '').length
}
