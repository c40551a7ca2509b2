/** A record with a value for every one of these names, in their order. */
export function each<const Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  // Every name has its entry: that is what the type says.
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>
}
