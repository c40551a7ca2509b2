import { ipcRenderer } from 'electron'

/*
 * Hands the page the one MessagePort over which it speaks the API, and nothing else: no channel, no Node, no environment.
 */
ipcRenderer.on('pulseward-port', (event) => {
  window.postMessage('pulseward-port', window.location.origin, event.ports)
})
