import { ipcRenderer } from 'electron'

/*
 * Hands the page the one MessagePort over which it speaks the API, and nothing else: no channel, no Node, no environment. Says when
 * something of the page is drawn.
 */
ipcRenderer.on('pulseward-port', (event) => {
  window.postMessage('pulseward-port', window.location.origin, event.ports)
})

/** Once the second frame of a visible page begins, its first is out of this process's hands, and soon on the screen. */
function sayWhenDrawn(): void {
  if (document.visibilityState !== 'visible') return
  document.removeEventListener('visibilitychange', sayWhenDrawn)
  requestAnimationFrame(() => requestAnimationFrame(() => ipcRenderer.send('pulseward-drawn')))
}
document.addEventListener('visibilitychange', sayWhenDrawn)
window.addEventListener('DOMContentLoaded', sayWhenDrawn)
