import type { BoundedText } from '../ports/agent-runner.ts'

/** Collects a stream's bytes and keeps its head and tail. */
export interface BoundedOutput {
  write(chunk: Buffer): void
  /** Returns what was kept, decoded as UTF-8; if bytes were left out, a line in the gap says how many. */
  read(): BoundedText
}

/**
 * Keeps at most `maxBytes`: the first quarter from the start and the rest from the end, because a program reports its result at
 * the end. Memory grows with what is written, up to `maxBytes`.
 */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const headBytes = Math.floor(maxBytes / 4)
  const tailBytes = maxBytes - headBytes
  // One buffer: the head, then the tail as a ring. Until it is full, a byte's position is simply its offset.
  let store: Buffer = Buffer.allocUnsafe(0)
  let total = 0

  const placeOf = (offset: number): number =>
    offset < headBytes ? offset : headBytes + ((offset - headBytes) % tailBytes)

  const put = (bytes: Buffer): void => {
    let rest = bytes
    while (rest.length > 0) {
      const place = placeOf(total)
      const room = (place < headBytes ? headBytes : maxBytes) - place
      const piece = rest.subarray(0, room)
      piece.copy(store, place)
      total += piece.length
      rest = rest.subarray(piece.length)
    }
  }

  return {
    write: (chunk) => {
      store = grown(store, Math.min(total + chunk.length, maxBytes), maxBytes)
      put(chunk)
    },
    read: () => {
      if (total <= maxBytes) return { text: store.toString('utf8', 0, total), omittedBytes: 0 }
      const head = withoutCutEnd(store.subarray(0, headBytes))
      const oldest = placeOf(total)
      const tail = withoutCutStart(Buffer.concat([store.subarray(oldest), store.subarray(headBytes, oldest)]))
      const omittedBytes = total - head.length - tail.length
      const gap = `\n[… ${omittedBytes} bytes left out …]\n`
      return { text: head.toString('utf8') + gap + tail.toString('utf8'), omittedBytes }
    },
  }
}

function grown(store: Buffer, neededBytes: number, maxBytes: number): Buffer {
  if (neededBytes <= store.length) return store
  const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(neededBytes, store.length * 2)))
  store.copy(larger)
  return larger
}

/** A UTF-8 character has at most 4 bytes, so a truncated one has at most 3. */
const MAX_CUT_BYTES = 3

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(MAX_CUT_BYTES, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return characterLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < MAX_CUT_BYTES && isContinuation(bytes[start] ?? 0)) start++
  return bytes.subarray(start)
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function characterLength(leadByte: number): number {
  if (leadByte >= 0b1111_0000) return 4
  if (leadByte >= 0b1110_0000) return 3
  return leadByte >= 0b1100_0000 ? 2 : 1
}
