/**
 * Returns the text of a notification as a desktop shows it. Marks of code are for those who can draw it. Linux desktops take a
 * text for markup: one that quotes an agent would show its links and pictures.
 */
export function notificationText(text: string, platform: NodeJS.Platform): string {
  const plain = text.replaceAll('`', '')
  return platform === 'linux' ? plain.replaceAll('<', '‹').replaceAll('>', '›') : plain
}
