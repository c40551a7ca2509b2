import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHIELD_ROWS, SHIELDS } from '../../src/core/vocabulary/standing.ts'
import { toWebp, writeAnimation } from './webp.mjs'

const SIZE = { width: 720, height: 160 }

/** Shows how a contradiction is found, in the page's own panel: the claim, the measurement in progress, the measured result. */
export async function writeContradiction(page, encoder, file) {
  const panel = page.getByRole('region', { name: 'Contradictions, not reviewed' })
  await panel.waitFor()
  await page.setViewportSize({ width: 1000, height: 800 })
  const show = (claimed, sign, measured) =>
    panel.evaluate(
      (element, [one, two, three]) => {
        element.style.inlineSize = '720px'
        element.style.blockSize = '160px'
        // The possible answers to it are in another picture.
        for (const below of element.querySelectorAll(':scope > ul ~ *')) below.style.display = 'none'
        for (const { children } of element.querySelectorAll(':scope > ul > li'))
          for (const [part, isShown] of [one, two, three].entries())
            children[part].style.visibility = isShown ? 'visible' : 'hidden'
      },
      [claimed, sign, measured],
    )
  const take = async () => {
    const box = await panel.boundingBox()
    return toWebp(encoder, await page.screenshot({ clip: { x: box.x, y: box.y, ...SIZE } }))
  }
  const frames = []
  for (const [parts, shownMs] of [
    [[false, false, false], 700],
    [[true, false, false], 1300],
    [[true, true, false], 500],
    [[true, true, true], 3000],
  ]) {
    await show(...parts)
    frames.push({ webp: await take(), shownMs })
  }
  await writeAnimation(file, SIZE, frames)
}

/** Draws the tray's shields in all states, on a light and on a dark panel. */
export async function trayPicture(page, root) {
  const image = (name) =>
    `data:image/png;base64,${readFileSync(join(root, 'resources/tray', `${name}.png`)).toString('base64')}`
  const panel = (kind, colour) =>
    `<section style="background:${colour}">${SHIELDS.map((shield) => `<figure><img src="${image(`${shield}-22-${kind}@2x`)}"><figcaption>${SHIELD_ROWS[shield].title}</figcaption></figure>`).join('')}</section>`
  await page.setViewportSize({ width: 1080, height: 200 })
  await page.setContent(
    `<style>body{margin:0;font:12px sans-serif}section{display:flex;height:100px;align-items:center;justify-content:space-around;color:#888}figure{margin:0;width:100px;text-align:center}img{width:44px}</style>${panel('light', '#f4f4f4')}${panel('dark', '#1c1c1e')}`,
  )
  return page.screenshot()
}
