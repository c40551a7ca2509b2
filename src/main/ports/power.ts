/** What the machine runs on. */
export interface Power {
  /** False if it has no battery, or if that is unknown. */
  onBattery(): boolean
}
