/**
 * Returns the milliseconds of processor time that `work` takes in this process. Unlike wall-clock time, this doesn't depend on
 * how busy the machine is.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
