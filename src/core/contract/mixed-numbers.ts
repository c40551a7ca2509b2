import type { Environment } from '@marcbachmann/cel-js'

/**
 * What CEL lacks on purpose and hints need, because a probe's number may be whole today and broken tomorrow: sums of whole
 * and broken numbers, which are broken, and whether the two are equal. (CEL compares them by size as it is.)
 */
const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
}

/** Teaches an environment to reckon with whole and broken numbers together. To be called once for each. */
export function registerMixedNumbers(environment: Environment): void {
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    const handler = (left: number | bigint, right: number | bigint): number =>
      apply(Number(left), Number(right))
    environment.registerOperator(`int ${operator} double: double`, handler)
    environment.registerOperator(`double ${operator} int: double`, handler)
  }
  // The library derives `!=` and the other order from it.
  const areEqual = (left: number | bigint, right: number | bigint): boolean => Number(left) === Number(right)
  environment.registerOperator('int == double', areEqual)
}
