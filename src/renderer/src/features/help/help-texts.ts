import { HELP_PAGES } from '../../format/help-pages.ts'

/** The documents in docs/, each loaded when it is opened. */
const TEXTS = import.meta.glob<string>(
  [
    '../../../../../docs/*.md',
    '!../../../../../docs/{architecture,evaluation,extending,performance,releasing}.md',
  ],
  { query: '?raw', import: 'default' },
)

/** Returns the Markdown text of a document; `null` if the app has no such page. */
export async function helpText(id: string): Promise<string | null> {
  if (!HELP_PAGES.some((page) => page.id === id)) return null
  return (await TEXTS[`../../../../../docs/${id}.md`]?.()) ?? null
}
