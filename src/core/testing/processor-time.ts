/**
 * Milliseconds of processor time that `work` takes in this process. A bound on it says how much is done, however busy the
 * machine is with others; a clock on the wall does not.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
