import { HELP_PAGES } from '../../format/help-pages.ts'

/** The documents as they lie beside the code: each comes when it is read. */
const TEXTS = import.meta.glob<string>(
  [
    '../../../../../docs/*.md',
    '!../../../../../docs/{architecture,evaluation,extending,performance,releasing}.md',
  ],
  { query: '?raw', import: 'default' },
)

/** The text of a document, in Markdown; `null` where the app has no such one. */
export async function helpText(id: string): Promise<string | null> {
  if (!HELP_PAGES.some((page) => page.id === id)) return null
  return (await TEXTS[`../../../../../docs/${id}.md`]?.()) ?? null
}
