import { expect, test } from 'vitest'
import { HELP_PAGES } from '../../format/help-pages.ts'
import { addressOfLink, anchorOf } from './anchors.ts'

const TEXTS = import.meta.glob<string>('../../../../../docs/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const textOf = (id: string) => TEXTS[`../../../../../docs/${id}.md`] ?? ''

test('turns links to pages that the app shows into addresses, and no others', () => {
  expect(addressOfLink('verdicts.md#held-work', 'desktop')).toBe('#/help/verdicts/held-work')
  expect(addressOfLink('#tray', 'desktop')).toBe('#/help/desktop/tray')
  expect(addressOfLink('agents.md', 'desktop')).toBe('#/help/agents')
  for (const url of ['architecture.md', '../README.md', 'https://ntfy.sh', 'decisions/0002-ledger.md', ''])
    expect(addressOfLink(url, 'desktop')).toBeNull()
})

test('has a document for each page, and a heading for each link between pages', () => {
  for (const { id } of HELP_PAGES) {
    expect(textOf(id), `${id}.md`).toMatch(/^# /u)
    for (const [, url = ''] of textOf(id).matchAll(/\]\(([^)\s]+)\)/gu)) {
      const address = addressOfLink(url, id)
      const [page = '', anchor] = (address ?? '').replace('#/help/', '').split('/')
      if (anchor === undefined) continue
      const headings = [...textOf(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => anchorOf(heading))
      const anchors = [
        ...headings,
        ...[...textOf(page).matchAll(/<a id="([^"]+)">/gu)].map(([, name]) => name),
      ]
      expect(anchors, `${url} in ${id}.md`).toContain(decodeURIComponent(anchor))
    }
  }
})
