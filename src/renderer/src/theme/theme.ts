import type { Theme } from '../../../api/schemas/settings.ts'

/** Where the theme is remembered for the next start; `public/early-look.js` reads it before anything is drawn. */
const REMEMBERED = 'pulseward-theme'

/** Shows the page in a theme, now and from the first moment of the next start. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(REMEMBERED, theme)
  } catch {
    // A browser may refuse storage: then the next start shows the system's theme for a moment.
  }
}
