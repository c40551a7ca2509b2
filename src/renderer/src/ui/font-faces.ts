import cyrillicExt from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2?url'
import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url'
import greekExt from '@fontsource-variable/inter/files/inter-greek-ext-wght-normal.woff2?url'
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?url'
import latinExt from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url'
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2?url'
import ranges from '@fontsource-variable/inter/unicode.json'

/*
 * The letters that font.css does not have. Whether a face is loaded or not, on Linux each costs a question to another process for
 * every size and weight on the page: with all of them the first screen took 100 ms longer to lay out.
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

/** To be called once the first screen is drawn. Brings the other letters of Latin scripts, and a little later those of other scripts. */
export function bringLetters(page: Window): void {
  const names = Object.keys(FURTHER) as (keyof typeof FURTHER)[]
  bring(page.document, FIRST)
  page.setTimeout(() => {
    for (const name of names) if (name !== FIRST) bring(page.document, name)
  }, LATER_MS)
}

/** Its file is fetched when a letter of it is on the page. */
function bring({ fonts }: Document, name: keyof typeof FURTHER): void {
  const description = { weight: '100 900', display: 'swap', unicodeRange: ranges[name] } as const
  fonts.add(new FontFace('Inter Variable', `url(${FURTHER[name]}) format('woff2-variations')`, description))
}
