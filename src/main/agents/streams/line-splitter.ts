/**
 * The size of one message of the Agent Client Protocol: an event may contain a large file twice. Anything longer is too expensive to read.
 */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024

export interface LineSplitter {
  write(text: string): void
  /** Emits what follows the last line break. */
  end(): void
}

/**
 * Reassembles chunks of text into lines, without their ends (LF or CRLF); skips empty lines. A line that is too long is cut at
 * its limit and the rest dropped, so memory is bounded whatever a program prints.
 */
export function createLineSplitter(
  onLine: (line: string) => void,
  maxCharacters = MAX_LINE_CHARACTERS,
): LineSplitter {
  let pieces: string[] = []
  let length = 0

  const keep = (piece: string): void => {
    const room = maxCharacters - length
    if (piece === '' || room <= 0) return
    pieces.push(piece.length > room ? piece.slice(0, room) : piece)
    length += Math.min(piece.length, room)
  }
  const finish = (): void => {
    const line = pieces.join('')
    pieces = []
    length = 0
    const trimmed = line.endsWith('\r') ? line.slice(0, -1) : line
    if (trimmed.trim() !== '') onLine(trimmed)
  }

  return {
    write: (text) => {
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        keep(text.slice(start, end))
        finish()
        start = end + 1
      }
      keep(text.slice(start))
    },
    end: finish,
  }
}
