import { isolated } from '../../core/text/isolated.ts'

/** Longer names of files and folders are cut in a menu. */
const MAX_LABEL = 44

/**
 * Returns a name from outside as a menu label: on one line, without control characters, shortened if too long, and isolated in its text
 * direction. `&` marks a key in menus and is doubled.
 */
export function nameLabel(name: string): string {
  return isolatedName(name).replaceAll('&', '&&')
}

/** Does the same for tooltips and titles, where `&` marks no key. */
export function isolatedName(name: string): string {
  const plain = [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return isolated(plain.length > MAX_LABEL ? `${plain.slice(0, MAX_LABEL - 1).join('')}…` : plain.join(''))
}

/** Returns whether `nameLabel` shows the whole name. */
export function isWhole(name: string): boolean {
  return [...name].length <= MAX_LABEL && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
}
