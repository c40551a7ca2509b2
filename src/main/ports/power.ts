/** The machine's power source. */
export interface Power {
  /** False if it has no battery, or if that is unknown. */
  onBattery(): boolean
}
