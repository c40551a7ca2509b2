import { ipcRenderer } from 'electron'

/*
 * Gives the page the one MessagePort for the API, and nothing else: no channels, no Node, no environment. Reports when the page
 * has been drawn.
 */
ipcRenderer.on('pulseward-port', (event) => {
  window.postMessage('pulseward-port', window.location.origin, event.ports)
})

/** Reports the first frame: once the second one begins, the first has left this process and is about to be shown. */
function sayWhenDrawn(): void {
  if (document.visibilityState !== 'visible') return
  document.removeEventListener('visibilitychange', sayWhenDrawn)
  requestAnimationFrame(() => requestAnimationFrame(() => ipcRenderer.send('pulseward-drawn')))
}
document.addEventListener('visibilitychange', sayWhenDrawn)
window.addEventListener('DOMContentLoaded', sayWhenDrawn)
