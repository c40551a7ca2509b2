/** In percent; the same steps as in browsers. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const

/** Returns the zoom (percent) one step up or down from `percent`, which may be between two steps; for step 0, the actual size. */
export function nextZoom(percent: number, step: 1 | -1 | 0): number {
  if (step === 0) return 100
  if (step === 1) return STEPS.find((each) => each > percent) ?? 300
  return STEPS.findLast((each) => each < percent) ?? 50
}
