/** Closes a `switch` over a union: the compiler refuses a forgotten variant. Throws if one got past it all the same. */
export function assertNever(value: never): never {
  throw new Error(`Expected every variant to be handled, received ${JSON.stringify(value)}`)
}
