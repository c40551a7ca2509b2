/*
 * Loaded into the main process of either app (`electron -r`). Prints to stdout when the page shows what LAUNCH_SHOWS names and
 * two more frames have been drawn, so that it is on the screen; and when it first had anything drawn.
 */
const { app } = require('electron')

const selector = JSON.stringify(process.env.LAUNCH_SHOWS)
const script = `new Promise((resolve) => {
  // Wait for its entry, because it may come after the frames that it describes.
  const firstPaint = new Promise((known) => {
    new PerformanceObserver((list) => {
      const entry = list.getEntriesByName('first-contentful-paint')[0]
      if (entry) known(Math.round(performance.timeOrigin + entry.startTime))
    }).observe({ type: 'paint', buffered: true })
  })
  const drawn = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const shown = Date.now()
        firstPaint.then((first) => resolve(shown + ' ' + first))
      }),
    )
  const found = () => (document.querySelector(${selector})?.textContent ?? '') !== ''
  if (found()) return drawn()
  const observer = new MutationObserver(() => {
    if (!found()) return
    observer.disconnect()
    drawn()
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
})`

app.on('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', async () => {
    const painted = await contents.executeJavaScript(script)
    process.stdout.write(`PAINTED ${painted}\n`)
  })
})
