import { HELP_PAGES } from '../../format/help-pages.ts'
import { helpAddress } from '../../route/route.ts'

/** Returns the anchor of a heading, as GitHub builds it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/gu, '-')
}

/** Returns the app address of a link in the document `from`; `null` if the app does not show its target. */
export function addressOfLink(url: string, from: string): string | null {
  const [, file = '', anchor = ''] = /^([\w-]+\.md)?(?:#(.+))?$/u.exec(url) ?? []
  if (file === '' && anchor === '') return null
  const id = file === '' ? from : file.slice(0, -'.md'.length)
  if (!HELP_PAGES.some((page) => page.id === id)) return null
  return helpAddress(id, anchor === '' ? null : anchor)
}
