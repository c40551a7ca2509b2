import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** A command in a document, for a person to copy. */
export interface DocumentCommand {
  /** For example, `docs/contract.md`. */
  readonly document: string
  readonly line: number
  readonly command: string
}

/** Returns README and user documents, from the top of the repository. */
export function documents(): readonly string[] {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...names.sort().map((name) => `docs/${name}`)]
}

/** Returns the commands of a document's fenced blocks: all lines of `sh`, and of `console` those after a `$`. */
export function fencedCommands(document: string): DocumentCommand[] {
  const found: DocumentCommand[] = []
  let fence: string | null = null
  let begun: DocumentCommand | null = null
  for (const [index, line] of linesOf(document).entries()) {
    const [, opened] = /^`{3,}(\w*)/.exec(line) ?? []
    if (opened !== undefined) {
      fence = fence === null ? opened : null
      continue
    }
    if (fence !== 'sh' && fence !== 'console') continue
    const [, text]: readonly (string | undefined)[] =
      (fence === 'console' && begun === null ? /^\$ (.*)/ : /^(.*)/).exec(line) ?? []
    if (text === undefined || text.trim() === '') continue
    const command: string = (begun === null ? '' : `${begun.command} `) + text.replace(/\\$/, '').trim()
    const whole: DocumentCommand = { document, line: begun?.line ?? index + 1, command }
    begun = text.endsWith('\\') ? whole : null
    if (begun === null) found.push(whole)
  }
  return found
}

/** Returns the commands that documents name in their prose as `pulseward …`, and in the tables of commands, each once. */
export function namedCommands(): DocumentCommand[] {
  const found = documents().flatMap((document) => {
    const reference = document === 'docs/command-line.md' ? commandTables(linesOf(document)) : []
    const prose = linesOf(document).flatMap((text, index) =>
      spansOf(text)
        // `pulseward / measure` is the name of a check on a code host.
        .filter((span) => /^pulseward [^/]/.test(span))
        .map((span) => ({ line: index + 1, command: span.slice('pulseward '.length) })),
    )
    return [...reference, ...prose].map((each) => ({ document, ...each }))
  })
  return [...new Map(found.map((each) => [each.command, each])).values()]
}

/** Returns the first cells of the rows between "## Commands" and the next heading of its level. */
function commandTables(lines: readonly string[]): { line: number; command: string }[] {
  const begin = lines.indexOf('## Commands')
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '))
  return lines.slice(begin, end).flatMap((text, index) => {
    const [, cell = ''] = /^\| (`.*?) \| /.exec(text.replaceAll('\\|', '/')) ?? []
    return spansOf(cell)
      .filter((span) => /^[a-z]/.test(span))
      .map((command) => ({ line: begin + index + 1, command }))
  })
}

function spansOf(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
}

function linesOf(document: string): string[] {
  return readFileSync(join(root, document), 'utf8').split('\n')
}
