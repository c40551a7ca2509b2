import { isolated } from '../../core/text/isolated.ts'

/** Longer names of files and folders are cut in a menu. */
const MAX_LABEL = 44

/**
 * A name from the outside as a menu's label: on one line, without what would steer it, cut where it is too long, with its own
 * direction. `&` marks a key in menus and is doubled.
 */
export function nameLabel(name: string): string {
  return isolatedName(name).replaceAll('&', '&&')
}

/** The same where `&` marks no key: a tooltip, a title. */
export function isolatedName(name: string): string {
  const plain = [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()]
  return isolated(plain.length > MAX_LABEL ? `${plain.slice(0, MAX_LABEL - 1).join('')}…` : plain.join(''))
}

/** Whether `nameLabel` shows all of it. */
export function isWhole(name: string): boolean {
  return [...name].length <= MAX_LABEL && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
}
