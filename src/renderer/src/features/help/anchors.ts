import { HELP_PAGES } from '../../format/help-pages.ts'
import { helpAddress } from '../../route/route.ts'

/** The name by which links lead to a heading, as the forges make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/gu, '-')
}

/** Where a link of the document `from` leads in the app; `null` where it leads out of what the app can show. */
export function addressOfLink(url: string, from: string): string | null {
  const [, file = '', anchor = ''] = /^([\w-]+\.md)?(?:#(.+))?$/u.exec(url) ?? []
  if (file === '' && anchor === '') return null
  const id = file === '' ? from : file.slice(0, -'.md'.length)
  if (!HELP_PAGES.some((page) => page.id === id)) return null
  return helpAddress(id, anchor === '' ? null : anchor)
}
