import { writeFile } from 'node:fs/promises'

const QUALITY = 72

/** Converts a PNG to WebP in Chromium, because Playwright only takes PNG or JPEG. */
export async function toWebp(encoder, png) {
  const bytes = await encoder.evaluate(
    async ([data, quality]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      canvas.getContext('2d').drawImage(bitmap, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: quality / 100 })
      return [...new Uint8Array(await blob.arrayBuffer())]
    },
    [png.toString('base64'), QUALITY],
  )
  return Buffer.from(bytes)
}

function chunk(name, body) {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

const uint24 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255])

/** The chunks that a frame may contain: only its image data. Color profiles and the like appear once per file, or not at all. */
const OF_FRAMES = ['ALPH', 'VP8 ', 'VP8L']

function frameData(webp) {
  const kept = []
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (OF_FRAMES.includes(webp.toString('latin1', at, at + 4))) kept.push(webp.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

/**
 * Writes pictures of one size, each with the milliseconds it is shown, as an endless animation
 * (https://developers.google.com/speed/webp/docs/riff_container).
 */
export async function writeAnimation(file, { width, height }, frames) {
  const ANIMATED = 0x02
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)])
  const parts = [
    chunk('VP8X', Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), size])),
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...frames.map(({ webp, shownMs }) =>
      chunk(
        'ANMF',
        // The frame covers the whole picture, without blending.
        Buffer.concat([uint24(0), uint24(0), size, uint24(shownMs), Buffer.from([2]), frameData(webp)]),
      ),
    ),
  ]
  await writeFile(file, chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts])))
}
