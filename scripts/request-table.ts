import { ENDPOINTS } from '../src/api/endpoints.ts'
import type { Takes } from '../src/api/procedures/base.ts'
import { DECLARED } from '../src/main/authority/takes.ts'

/*
 * Generates the table of who may ask for what in docs/security.md from what each procedure declares.
 */

const BEGIN = '<!-- requests: made by scripts/write-docs.ts -->'
const END = '<!-- /requests -->'

const WORDS: readonly (readonly [Takes, string])[] = [
  ['agent', 'Any process with the token, an agent’s or a check’s about its own workspace'],
  ['program', 'Any program of yours with the token, but no process of an agent or a check'],
  ['operator', 'You: the app, the page, a terminal, and, while no attempt runs, any other program of yours'],
]

/** Returns the document with its table of who may ask for what replaced. */
export function withRequests(text: string): string {
  const rows = WORDS.map(([takes, words]) => `| ${words} | ${listed(takes)} |`)
  const table = ['| who may ask | for what |', '|---|---|', ...rows].join('\n')
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
