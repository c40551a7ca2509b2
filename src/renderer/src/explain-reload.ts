import { NEW_PAGE } from '../../api/new-page.ts'
import type { AppStore } from './store/app-state.ts'

const WORDS: Readonly<Record<string, string>> = {
  ended: 'The page crashed and was reloaded. Heartbeats kept running; unsaved input is lost.',
  hung: 'The page was reloaded. Heartbeats kept running; unsaved input is lost.',
}

/** Shows, once, why the desktop has reloaded the page. */
export function explainReload(store: AppStore): void {
  const url = new URL(window.location.href)
  const text = WORDS[url.searchParams.get(NEW_PAGE) ?? '']
  if (text === undefined) return
  url.searchParams.delete(NEW_PAGE)
  window.history.replaceState(window.history.state, '', url)
  store.getState().showToast({ tone: 'problem', text, undo: null })
}
