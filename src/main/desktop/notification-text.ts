/**
 * Returns the text of a notification for a desktop, without code marks, which only some can render. On Linux it also replaces angle
 * brackets, because desktops there treat a text as markup: one that quotes an agent could show links and pictures.
 */
export function notificationText(text: string, platform: NodeJS.Platform): string {
  const plain = text.replaceAll('`', '')
  return platform === 'linux' ? plain.replaceAll('<', '‹').replaceAll('>', '›') : plain
}
