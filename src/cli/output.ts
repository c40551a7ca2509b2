import { styleText } from 'node:util'
import { harmlessJson, harmlessLine, withoutCommands } from '../core/text/harmless.ts'
import type { CliError } from './cli-error.ts'

/** The streams for a command's output. */
export interface Streams {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean }
}

export type Style = 'good' | 'bad' | 'warning' | 'quiet' | 'strong'

/** Styles text if the terminal shows colors; returns it unchanged otherwise. */
export type Paint = (style: Style, text: string) => string

export interface Output {
  readonly json: boolean
  /** True if the output goes to a terminal, where someone reads it. */
  readonly isTerminal: boolean
  /** Prints the answer: `document` as JSON with `--json`, else the lines that `human` returns. */
  answer(document: unknown, human: (paint: Paint) => readonly string[]): void
  /** Prints a remark next to the answer, on stderr; left out with `--json`. */
  remark(text: string): void
  /** Prints an error: one line on stderr, and with `--json` its document on stdout. */
  fail(error: CliError): void
}

const formats = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>

/** Creates an output that uses colors only on a terminal, and only if `NO_COLOR` is not set. */
export function createOutput(
  streams: Streams,
  options: { readonly json: boolean; readonly environment: Readonly<Record<string, string | undefined>> },
): Output {
  const { stdout, stderr } = streams
  const { json, environment } = options
  const hasColour = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  const colours = hasColour ? coloursOfOurs() : null
  const paint: Paint = (style, text) => colours?.paint(style, text) ?? text
  const isWorkflow = environment.GITHUB_ACTIONS === 'true'
  const print = (document: unknown): void => {
    const text = harmlessJson(JSON.stringify(document, null, 2))
    stdout.write(`${isWorkflow ? text.replaceAll('##[', '##\\u005b') : text}\n`)
  }
  const plainLine = (text: string): string => {
    const line = harmlessLine(text, MAX_LINE)
    return isWorkflow ? withoutCommands(line) : line
  }
  const oneLine = (text: string): string => plainLine(text.replace(/[\r\n]+/g, ' ')).trim()
  return {
    json,
    isTerminal: stdout.isTTY === true,
    answer: (document, human) => {
      if (json) print(document)
      else
        for (const line of human(paint)) {
          const shown = plainLine(line)
          stdout.write(`${colours?.shown(shown) ?? shown}\n`)
        }
    },
    remark: (text) => {
      if (!json) stderr.write(`${oneLine(text)}\n`)
    },
    fail: (error) => {
      stderr.write(`pulseward: ${oneLine(error.message)}\n`)
      if (json) print({ error: { code: error.code, message: error.message } })
    },
  }
}

/** No one reads longer lines. */
const MAX_LINE = 16 * 1024

/**
 * Colors that only Pulseward can set. Agents' text appears in the same lines and can contain escape sequences (`ESC[8m` hides what
 * follows). So colors are written as unguessable markers, which become escape sequences after all other control sequences are removed.
 */
function coloursOfOurs(): { readonly paint: Paint; readonly shown: (line: string) => string } {
  // Loaded only for a terminal: it takes a tenth of the time of `status`, which scripts wait for.
  const secret = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')
  const styles = Object.keys(formats) as Style[]
  // All of the same length, because columns are as wide as their longest cell.
  const mark = (end: '+' | '-', style: Style): string => `<${secret}${end}${styles.indexOf(style)}>`
  const marks = new RegExp(`<${secret}([+-])(\\d)>`, 'g')
  return {
    paint: (style, text) => `${mark('+', style)}${text}${mark('-', style)}`,
    shown: (line) =>
      line.replace(marks, (_whole, end: string, index: string) => {
        const style = styles[Number(index)] ?? 'strong'
        const [on, off] = styleText(formats[style], '\0', { validateStream: false }).split('\0')
        return (end === '+' ? on : off) ?? ''
      }),
  }
}
