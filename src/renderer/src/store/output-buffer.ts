/** Lines kept of a running attempt's output; the whole of it is in the attempt's log. */
export const MAX_LINES = 2000
/** Longer lines are broken: one endless line would otherwise grow without bound and stall the page. */
const MAX_LINE_LENGTH = 4000

/** The end of an agent's output as it comes. `lines` has the unfinished last line as its last element. */
export interface OutputBuffer {
  readonly lines: readonly string[]
  /** Lines dropped at the front. */
  readonly droppedLines: number
  /** An escape sequence cut off at the end of the last chunk, waiting for its rest. */
  readonly pending: string
}

export const EMPTY_OUTPUT: OutputBuffer = { lines: [''], droppedLines: 0, pending: '' }

/*
 * ECMA-48 sequences: CSI (`ESC [` parameters, final byte), OSC (`ESC ]` text, ended by BEL or `ESC \`), and the two-byte
 * ones. Control characters other than tab, newline and carriage return are dropped with them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_=>78])/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence that has not ended yet
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]{0,1000}\u001b?)?$/u

/** Text without terminal control sequences, for a log that is already whole. */
export function plainText(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n/gu, '\n').replace(CONTROLS, '')
}

/**
 * The buffer with a chunk added: escape sequences removed, a carriage return starts its line over (as progress bars mean
 * it), at most the last `MAX_LINES` lines kept. Chunks may be cut anywhere.
 */
export function appendOutput(buffer: OutputBuffer, chunk: string): OutputBuffer {
  const whole = buffer.pending + chunk
  const cut = UNFINISHED.exec(whole)
  // A lone carriage return at the end may be the first half of a line break.
  const end = cut === null ? (whole.endsWith('\r') ? whole.length - 1 : whole.length) : cut.index
  const text = whole.slice(0, end).replace(ESCAPES, '').replace(/\r\n/gu, '\n').replace(CONTROLS, '')
  const [first = '', ...rest] = text.split('\n')
  const open = buffer.lines.at(-1) ?? ''
  const added = [open + first, ...rest].flatMap((line) => broken(afterCarriageReturn(line)))
  const lines = [...buffer.lines.slice(0, -1), ...added]
  const surplus = Math.max(0, lines.length - MAX_LINES)
  return {
    lines: surplus === 0 ? lines : lines.slice(surplus),
    droppedLines: buffer.droppedLines + surplus,
    pending: whole.slice(end),
  }
}

function afterCarriageReturn(line: string): string {
  const at = line.lastIndexOf('\r')
  return at === -1 ? line : line.slice(at + 1)
}

function broken(line: string): string[] {
  if (line.length <= MAX_LINE_LENGTH) return [line]
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += MAX_LINE_LENGTH) pieces.push(line.slice(at, at + MAX_LINE_LENGTH))
  return pieces
}
