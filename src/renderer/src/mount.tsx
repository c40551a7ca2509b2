import './ui/primitives.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { ApiClient } from '../../api/client.ts'
import { App } from './app.tsx'
import { explainReload } from './explain-reload.ts'
import { likelyWorkspace, rememberScores } from './features/early/last-known.ts'
import type { AppStore } from './store/app-state.ts'
import { createAppStore } from './store/app-store.ts'
import { keepMessages } from './store/keep-messages.ts'
import { AppStoreContext } from './store/use-app.ts'
import { showTheme } from './theme/theme.ts'
import { bringLetters } from './ui/font-faces.ts'
import { keepPlaces } from './ui/kept-place.ts'
import { markMissedStyles } from './ui/missed-styles.ts'
import { TooltipProvider } from './ui/tooltip.tsx'
import './ui/font.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'

/** Shows the whole page in `root`, using `api`, until the returned function is called. */
export function mountApp(root: HTMLElement, api: ApiClient): () => void {
  const store = createAppStore(api)
  store.setState({ watchedId: likelyWorkspace(window.location.hash) })
  const stopTheme = store.subscribe(({ settings }, before) => {
    if (settings !== null && settings !== before.settings) showTheme(settings.settings.theme)
  })
  const stopRemembering = rememberScores(store)
  const stopMessages = keepMessages(store)
  const stop = store.start()
  const stopMarking = markMissedStyles()
  // Before the page follows its address, so that earlier scrolling is not confused with later scrolling.
  const stopKeeping = keepPlaces(window)
  explainReload(store)
  const stopLetters = bringLettersOnceAnswered(store)
  const reactRoot = createRoot(root)
  reactRoot.render(
    <StrictMode>
      <AppStoreContext value={store}>
        <TooltipProvider>
          <App />
        </TooltipProvider>
      </AppStoreContext>
    </StrictMode>,
  )
  return () => {
    reactRoot.unmount()
    stopTheme()
    stopRemembering()
    stopMessages()
    stopMarking()
    stopKeeping()
    stopLetters()
    stop()
  }
}

/**
 * Loads the rarer letters after the first frame that follows the host's answer. Before that, the page shows only Pulseward's own text, and
 * that frame must not wait for letters that few pages need.
 */
function bringLettersOnceAnswered(store: AppStore): () => void {
  const stop = store.subscribe(({ version }) => {
    if (version === null) return
    stop()
    requestAnimationFrame(() => requestAnimationFrame(() => bringLetters(window)))
  })
  return stop
}
