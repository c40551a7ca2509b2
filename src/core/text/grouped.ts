/** Returns a number for people, grouped and with a real minus sign: `1,000`, `−15`, `1,234.5`. */
export function grouped(value: number): string {
  // Avoid `toLocaleString`: its tables take longer to load than all the settings.
  const [whole = '', ...fraction] = String(Math.abs(value)).split('.')
  const digits = [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.')
  return value < 0 ? `\u2212${digits}` : digits
}
