/** How many lines of a running attempt's output are kept; the attempt's log has all of it. */
export const MAX_LINES = 2000
/** Longer lines are broken: an endless line would otherwise grow without limit and stall the page. */
const MAX_LINE_LENGTH = 4000

/** The end of an agent's live output. The last element of `lines` is the unfinished last line. */
export interface OutputBuffer {
  /** Each begins with the colors in effect there, so that it can be shown without the lines before it. */
  readonly lines: readonly string[]
  /** How many lines were dropped at the front. */
  readonly droppedLines: number
  /** An escape sequence cut off at the end of the last chunk, waiting for its rest. */
  readonly pending: string
  /** The colors in effect at the start of the last line, and at its end. */
  readonly styles: { readonly start: string; readonly end: string }
}

export const EMPTY_OUTPUT: OutputBuffer = {
  lines: [''],
  droppedLines: 0,
  pending: '',
  styles: { start: '', end: '' },
}

/*
 * ECMA-48 sequences: CSI (`ESC [` parameters, final byte), OSC (`ESC ]` text, ended by BEL or `ESC \`), and the two-byte
 * ones. Only colors (SGR, `ESC [ … m`) are kept; all others are dropped, and so are control characters other than tab,
 * newline and carriage return.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_=>78])/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this keeps
const COLOURS = /\u001b\[([\d;:]*)m/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]|\u001b(?!\[[\d;:]*m)/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence that has not ended yet
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]{0,1000}\u001b?)?$/u
/** Limits the colors in effect: a program that keeps setting more without a reset loses the first ones. */
const MAX_STYLE_LENGTH = 200

/** Returns text without terminal control sequences. */
export function plainText(text: string): string {
  return coloured(text).replace(COLOURS, '')
}

/** Returns the lines of a complete log in the form of `OutputBuffer`; drops none. */
export function linesOf(text: string): readonly string[] {
  const { lines } = appended({ ...EMPTY_OUTPUT, pending: '' }, coloured(text), '')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Removes all control sequences except colors. */
function coloured(text: string): string {
  return text
    .replace(ESCAPES, (sequence) =>
      sequence.endsWith('m') && sequence.startsWith('\u001b[') ? sequence : '',
    )
    .replace(/\r\n/gu, '\n')
    .replace(CONTROLS, '')
}

/**
 * Returns the buffer with a chunk added. Removes escape sequences except colors, starts a line over at a carriage return
 * (as progress bars expect), and keeps at most the last `MAX_LINES` lines. Chunks may be cut anywhere.
 */
export function appendOutput(buffer: OutputBuffer, chunk: string): OutputBuffer {
  const whole = buffer.pending + chunk
  const cut = UNFINISHED.exec(whole)
  // A lone carriage return at the end may be the first half of a line break.
  const end = cut === null ? (whole.endsWith('\r') ? whole.length - 1 : whole.length) : cut.index
  const next = appended(buffer, coloured(whole.slice(0, end)), whole.slice(end))
  const surplus = Math.max(0, next.lines.length - MAX_LINES)
  if (surplus === 0) return next
  return { ...next, lines: next.lines.slice(surplus), droppedLines: buffer.droppedLines + surplus }
}

function appended(buffer: OutputBuffer, text: string, pending: string): OutputBuffer {
  const lines = buffer.lines.slice(0, -1)
  let { start, end } = buffer.styles
  let open = buffer.lines.at(-1) ?? ''
  text.split('\n').forEach((piece, index) => {
    if (index > 0) {
      for (const part of broken(open)) lines.push(part)
      start = end
      open = start
    }
    end = styleAfter(end, piece)
    open = afterCarriageReturn(open + piece, start)
  })
  const parts = broken(open)
  lines.push(...parts)
  return { lines, droppedLines: buffer.droppedLines, pending, styles: { start, end } }
}

/** Returns the colors in effect after a piece of text: all that were set since the last reset. */
function styleAfter(style: string, piece: string): string {
  let current = style
  for (const [sequence, parameters = ''] of piece.matchAll(COLOURS)) {
    const isReset = /^0*$/u.test(parameters)
    const beginsAnew = /^0*;/u.test(parameters) || current.length + sequence.length > MAX_STYLE_LENGTH
    current = isReset ? '' : beginsAnew ? sequence : current + sequence
  }
  return current
}

function afterCarriageReturn(line: string, style: string): string {
  const at = line.lastIndexOf('\r')
  return at === -1 ? line : style + line.slice(at + 1)
}

function broken(line: string): string[] {
  if (line.length <= MAX_LINE_LENGTH) return [line]
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += MAX_LINE_LENGTH) pieces.push(line.slice(at, at + MAX_LINE_LENGTH))
  return pieces
}
