import type { Environment } from '@marcbachmann/cel-js'

/**
 * Arithmetic and equality for integers mixed with decimals. CEL omits these on purpose, but checks need them, because a probe may return an
 * integer today and a decimal tomorrow. The results are decimals. (CEL already compares them by size.)
 */
const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
}

/** Registers mixed arithmetic in an environment. Call it once per environment. */
export function registerMixedNumbers(environment: Environment): void {
  for (const [operator, apply] of Object.entries(ARITHMETIC)) {
    const handler = (left: number | bigint, right: number | bigint): number =>
      apply(Number(left), Number(right))
    environment.registerOperator(`int ${operator} double: double`, handler)
    environment.registerOperator(`double ${operator} int: double`, handler)
  }
  // The library derives `!=` and the reverse order from it.
  const areEqual = (left: number | bigint, right: number | bigint): boolean => Number(left) === Number(right)
  environment.registerOperator('int == double', areEqual)
}
