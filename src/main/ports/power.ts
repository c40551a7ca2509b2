/** What the machine runs on. */
export interface Power {
  /** False where it has no battery, and where that cannot be known. */
  onBattery(): boolean
}
