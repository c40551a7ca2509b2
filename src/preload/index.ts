import { ipcRenderer } from 'electron'

/*
 * Hands the page the one MessagePort over which it speaks the API, and nothing else: no channel, no Node, no environment. Says when
 * something of the page is on the screen.
 */
ipcRenderer.on('pulseward-port', (event) => {
  window.postMessage('pulseward-port', window.location.origin, event.ports)
})

const paints = new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length === 0) return
  paints.disconnect()
  ipcRenderer.send('pulseward-painted')
})
paints.observe({ type: 'paint', buffered: true })
