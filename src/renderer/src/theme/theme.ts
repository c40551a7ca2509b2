import type { Theme } from '../../../api/schemas/settings.ts'

/** The key under which the theme is stored for the next start; `public/early-look.js` reads it before anything is drawn. */
const REMEMBERED = 'pulseward-theme'

/** Shows the page in a theme, and also from the first moment of the next start. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(REMEMBERED, theme)
  } catch {
    // A browser may refuse storage; the next start then shows the system's theme for a moment.
  }
}
