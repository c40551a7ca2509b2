import { ENDPOINTS } from '../src/api/endpoints.ts'
import type { Takes } from '../src/api/procedures/base.ts'
import { DECLARED } from '../src/main/authority/takes.ts'

/*
 * Generates the table of docs/security.md that lists who may ask for what, from what each procedure declares.
 */

const BEGIN = '<!-- requests: made by scripts/write-docs.ts -->'
const END = '<!-- /requests -->'

const WORDS: readonly (readonly [Takes, string])[] = [
  ['agent', 'Any process with the token; agents and checks about their own workspace'],
  ['program', 'Any program of yours with the token, but not an agent or a check'],
  [
    'operator',
    'Only you: the app, the page, a terminal, and, while no attempt runs, any other program of yours',
  ],
]

/** Returns the document with its table of who may ask for what replaced. */
export function withRequests(text: string): string {
  const rows = WORDS.map(([takes, words]) => `| ${words} | ${listed(takes)} |`)
  const table = ['| sender | requests |', '|---|---|', ...rows].join('\n')
  const [before, rest = ''] = text.split(BEGIN)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`
}

function listed(wanted: Takes): string {
  const procedures = DECLARED.flatMap(({ procedure, takes }) =>
    procedure !== null && takes === wanted ? [`\`${procedure}\``] : [],
  )
  const others = ENDPOINTS.flatMap(({ method, path, takes }) =>
    takes === wanted ? [`\`${method} ${path}\``] : [],
  )
  return [...procedures, ...others].join(', ')
}
