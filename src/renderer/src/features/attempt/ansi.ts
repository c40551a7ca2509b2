import Anser from 'anser'
import { harmlessText } from '../../../../core/text/harmless.ts'

/** One of a terminal's eight colors, in either brightness. Each maps to a token that is readable in both themes. */
export type TerminalColour = 'black' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white'

/** A piece of a line in one style. */
export interface StyledText {
  readonly text: string
  readonly colour: TerminalColour | null
  /** Has a background, shown as a light wash: text would be unreadable on the color itself. */
  readonly marked: boolean
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underlined: boolean
}

const COLOURS: readonly TerminalColour[] = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
]

/** Splits a line of terminal output into pieces of one style each. Text is never treated as markup. */
export function styledLine(line: string): readonly StyledText[] {
  if (!line.includes('\u001b')) return [plain(line)]
  const pieces = Anser.ansiToJson(line, { json: true, remove_empty: true, use_classes: true })
  return pieces.map(({ content, fg, fg_truecolor: rgb, bg, decorations }) => ({
    text: harmlessText(content),
    colour: colourOf(fg, rgb),
    marked: bg !== null || decorations.includes('reverse'),
    bold: decorations.includes('bold'),
    dim: decorations.includes('dim'),
    italic: decorations.includes('italic'),
    underlined: decorations.includes('underline'),
  }))
}

function plain(text: string): StyledText {
  return {
    text: harmlessText(text),
    colour: null,
    marked: false,
    bold: false,
    dim: false,
    italic: false,
    underlined: false,
  }
}

/** Maps the parser's names: `ansi-red`, `ansi-bright-red`, `ansi-palette-196` or `ansi-truecolor`. */
function colourOf(name: string | null, rgb: string | null): TerminalColour | null {
  if (name === null || name === undefined) return null
  const named = COLOURS.find((colour) => name === `ansi-${colour}` || name === `ansi-bright-${colour}`)
  if (named !== undefined) return named
  const palette = /^ansi-palette-(\d+)$/u.exec(name)?.[1]
  if (palette !== undefined) return nearest(paletteColour(Number(palette)))
  const parts = (rgb ?? '').split(',').map(Number)
  return parts.length === 3 && parts.every((part) => !Number.isNaN(part)) ? nearest(parts) : null
}

/** Returns the RGB value of one of the 256 colors, from their 6×6×6 cube or their grays. */
function paletteColour(number: number): readonly number[] {
  if (number >= 232) return Array(3).fill(8 + (number - 232) * 10)
  const cube = Math.max(0, number - 16)
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => level * 51)
}

/** Returns the terminal color of the same hue; `null` for grays, which keep the text's color. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): TerminalColour | null {
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  if (most - least < 40) return null
  const isStrong = (part: number) => part - least > (most - least) / 2
  const index = Number(isStrong(red)) + 2 * Number(isStrong(green)) + 4 * Number(isStrong(blue))
  return COLOURS[index] ?? null
}
