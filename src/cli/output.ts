import { styleText } from 'node:util'
import type { CliError } from './cli-error.ts'

/** Where a command's words go. */
export interface Streams {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean }
}

export type Style = 'good' | 'bad' | 'warning' | 'quiet' | 'strong'

/** Marks up text where the terminal shows colours; elsewhere the text as it is. */
export type Paint = (style: Style, text: string) => string

export interface Output {
  readonly json: boolean
  /** The answer: `document` as JSON with `--json`, else the lines that `human` makes. */
  answer(document: unknown, human: (paint: Paint) => readonly string[]): void
  /** A remark beside the answer, on stderr; left out with `--json`. */
  remark(text: string): void
  /** What went wrong: one line on stderr, and with `--json` the document of it on stdout. */
  fail(error: CliError): void
}

const formats = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>

/** Colours only on a terminal, and not where `NO_COLOR` is set to anything. */
export function createOutput(
  streams: Streams,
  options: { readonly json: boolean; readonly environment: Readonly<Record<string, string | undefined>> },
): Output {
  const { stdout, stderr } = streams
  const { json, environment } = options
  const hasColour = stdout.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  const paint: Paint = (style, text) =>
    hasColour ? styleText(formats[style], text, { validateStream: false }) : text
  const print = (document: unknown): void => {
    stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  }
  return {
    json,
    answer: (document, human) => {
      if (json) print(document)
      else for (const line of human(paint)) stdout.write(`${withoutControls(line, hasColour)}\n`)
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

/** Agents' words come into what is shown: they may not steer the terminal. */
function withoutControls(line: string, hasColour: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- control characters are what this takes out
  const controls = hasColour ? /(?!\x1b\[\d+m)[\x00-\x1f\x7f-\x9f]/g : /[\x00-\x1f\x7f-\x9f]/g
  return line.replace(controls, ' ')
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- control characters are what this takes out
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim()
}
