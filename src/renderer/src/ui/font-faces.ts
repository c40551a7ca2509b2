import cyrillicExt from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2?url'
import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url'
import greekExt from '@fontsource-variable/inter/files/inter-greek-ext-wght-normal.woff2?url'
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url'
import latinExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url'
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2?url'
import ranges from '@fontsource-variable/inter/unicode.json'

/*
 * Letters that are not in font.css. On Linux, each face costs a request to another process for every size and weight on the page, even if
 * it is not loaded: with all of them, the first screen took 100 ms longer to lay out.
 */
const FURTHER = {
  'latin-ext': latinExt,
  cyrillic,
  'cyrillic-ext': cyrillicExt,
  greek,
  'greek-ext': greekExt,
  vietnamese,
}
const FIRST = 'latin-ext'
const LATER_MS = 2_000

/** Adds the other Latin letters, and a little later those of other scripts. Call it once the first screen is drawn. */
export function bringLetters(page: Window): void {
  const names = Object.keys(FURTHER) as (keyof typeof FURTHER)[]
  bring(page.document, FIRST)
  page.setTimeout(() => {
    for (const name of names) if (name !== FIRST) bring(page.document, name)
  }, LATER_MS)
}

/** Adds a face; its file is loaded when one of its letters is on the page. */
function bring({ fonts }: Document, name: keyof typeof FURTHER): void {
  const description = { weight: '100 900', display: 'swap', unicodeRange: ranges[name] } as const
  fonts.add(new FontFace('Inter Variable', `url(${FURTHER[name]}) format('woff2-variations')`, description))
}
