import { z } from 'zod'

/** `1.2.3`: the only form of a released version. */
export const versionSchema = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, { error: 'a version such as 1.2.3' })

/** Returns a negative number if `left` is older, 0 if both are the same. A prerelease (`1.2.3-rc.1`) is older than its release. */
export function compareVersions(left: string, right: string): number {
  const [leftNumbers, leftIsBuilding] = parts(left)
  const [rightNumbers, rightIsBuilding] = parts(right)
  for (const [index, number] of leftNumbers.entries()) {
    const difference = number - (rightNumbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(rightIsBuilding) - Number(leftIsBuilding)
}

function parts(version: string): readonly [readonly number[], boolean] {
  const [numbers = '', building] = version.split(/[-+]/, 2)
  return [numbers.split('.').map(Number), building !== undefined && version.includes('-')]
}
