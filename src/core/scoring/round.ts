/** Returns the whole number nearest to `value`; exactly halfway, the even one (82.5 → 82, 83.5 → 84). Never −0. */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const above = below + 1
  const part = value - below
  if (part !== 0.5) return part < 0.5 ? below : above
  return below % 2 === 0 ? below : above
}
