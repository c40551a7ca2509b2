/** As much as a message of the Agent Client Protocol: an event may hold a large file twice. What goes beyond it is none that we could afford to read. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024

export interface LineSplitter {
  write(text: string): void
  /** Hands out what stands after the last line end. */
  end(): void
}

/**
 * Puts chunks of text together again into lines, without their ends (LF or CRLF); empty lines are left out. A line that is too
 * long is handed out cut at its limit, the rest of it dropped: memory stays bounded whatever a program prints.
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
